// Package board is the workbench's fold: the state of a run as package event has it, and beside it what only a person looks at: the
// list of tasks, the decisions of gates, how figures move from step to step, a log in words.
package board

import (
	"sync"

	"verge/runner/event"
)

// Snapshot is everything that the workbench draws of a run, as of some event. It never changes.
type Snapshot struct {
	*event.State
	Tasks     List[Task]     // every proposal, in the order they were made
	Decisions List[Decision] // of gates, likewise
	Log       List[Line]
	Steps     map[string][]Step // of each arm's training, by its name
	Scores    []Scores          // of probes, in the order they first scored
}

// Board folds events. Its zero value is ready; it is safe for concurrent use.
type Board struct {
	mu        sync.Mutex
	fold      event.Fold
	events    int
	band      event.Band
	rows      map[event.Key]int
	names     map[string]string
	tasks     list[Task]
	decisions list[Decision]
	log       list[Line]
	steps     map[string][]Step
	trials    map[event.Key]*event.Trials // of a training step, whatever the key's proposal
	scores    []*Scores
	snapshot  *Snapshot
}

// Apply folds one more event. One that contradicts those before it is an error, as in event.Fold.
func (b *Board) Apply(e event.Event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold.Apply(e); err != nil {
		return err
	}
	b.snapshot = nil
	b.events++
	switch e := e.(type) {
	case event.RunStarted:
		b.band = e.Band()
	case event.TaskProposed:
		b.proposed(e)
	case event.TaskValidated:
		b.validated(e)
	case event.AttemptGraded:
		b.graded(e)
	case event.ProbeScored:
		b.scored(e)
	}
	if line, ok := inWords(e); ok {
		line.Seq, line.Text = b.events, clip(line.Text, textBytes)
		b.log.add(line)
	}
	return nil
}

// Snapshot is the state after the events applied so far; it costs nothing while there are none.
func (b *Board) Snapshot() *Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.snapshot == nil {
		s := &Snapshot{State: b.fold.Snapshot(), Tasks: b.tasks.snapshot(), Decisions: b.decisions.snapshot(), Log: b.log.snapshot()}
		s.Steps = make(map[string][]Step, len(b.steps))
		for arm, steps := range b.steps {
			s.Steps[arm] = share(steps)
		}
		for _, d := range b.scores {
			s.Scores = append(s.Scores, *d)
		}
		b.snapshot = s
	}
	return b.snapshot
}

// intern keeps one copy of a name that many events carry.
func (b *Board) intern(s string) string {
	if known, ok := b.names[s]; ok {
		return known
	}
	if b.names == nil {
		b.names = map[string]string{}
	}
	b.names[s] = s
	return s
}
