package lab

import "verge/runner/event"

// Known is what a resumed run has already: it is looked up before anything is sampled, so that nothing is asked of a model twice.
type Known struct {
	proposals map[event.Key]event.TaskProposed
	attempts  map[numbered]event.AttemptGraded
	oracles   map[numbered]event.OracleAnswered
}

// numbered is the key of an attempt, or of an oracle's answers.
type numbered struct {
	event.Key
	number int
}

// Add takes note of a stored event.
func (k *Known) Add(e event.Event) {
	if k.proposals == nil {
		k.proposals = map[event.Key]event.TaskProposed{}
		k.attempts = map[numbered]event.AttemptGraded{}
		k.oracles = map[numbered]event.OracleAnswered{}
	}
	switch e := e.(type) {
	case event.TaskProposed:
		k.proposals[e.Key] = e
	case event.AttemptGraded:
		k.attempts[numbered{e.Key, e.Attempt}] = e
	case event.OracleAnswered:
		k.oracles[numbered{e.Key, e.Oracle}] = e
	}
}

func (k *Known) proposal(key event.Key) (event.TaskProposed, bool) {
	if k == nil {
		return event.TaskProposed{}, false
	}
	e, ok := k.proposals[key]
	return e, ok
}

func (k *Known) attempt(key event.Key, attempt int) (event.AttemptGraded, bool) {
	if k == nil {
		return event.AttemptGraded{}, false
	}
	e, ok := k.attempts[numbered{key, attempt}]
	return e, ok
}

func (k *Known) oracle(key event.Key, oracle int) (event.OracleAnswered, bool) {
	if k == nil {
		return event.OracleAnswered{}, false
	}
	e, ok := k.oracles[numbered{key, oracle}]
	return e, ok
}
