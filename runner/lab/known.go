package lab

import "verge/runner/event"

// Known is what a resumed run has already: it is looked up before anything is sampled, so that nothing is asked of a model twice.
type Known struct {
	proposals map[event.Key]event.TaskProposed
	attempts  map[attemptKey]event.AttemptGraded
}

type attemptKey struct {
	event.Key
	attempt int
}

// Add takes note of a stored event.
func (k *Known) Add(e event.Event) {
	if k.proposals == nil {
		k.proposals = map[event.Key]event.TaskProposed{}
		k.attempts = map[attemptKey]event.AttemptGraded{}
	}
	switch e := e.(type) {
	case event.TaskProposed:
		k.proposals[e.Key] = e
	case event.AttemptGraded:
		k.attempts[attemptKey{e.Key, e.Attempt}] = e
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
	e, ok := k.attempts[attemptKey{key, attempt}]
	return e, ok
}
