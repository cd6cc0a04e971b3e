package board

import (
	"strings"
	"unicode/utf8"

	"verge/domains"
	"verge/runner/event"
)

// Task is a proposal in the list of tasks. What was asked and answered in full is in the store.
type Task struct {
	Key       event.Key
	Statement string // at most 512 bytes of it, as the generator wrote it
	Type      string
	Failed    string // why the generator's reply could not be had, likewise
	Validated bool
	Valid     bool
	Reason    string // why it is not valid
	Right     int
	Wrong     int
	Undecided int
	Errors    int
	Scored    bool
	Logit     float64 // of the probe that scored it last
}

// Attempts is the number of attempts at the task so far.
func (t Task) Attempts() int { return t.Right + t.Wrong + t.Undecided + t.Errors }

// Graded is the number of attempts that were judged right or wrong: fewer than K, where one failed or is still to come, make no solve rate.
func (t Task) Graded() int { return t.Right + t.Wrong }

// Decision is what a gate decided of a proposal.
type Decision struct {
	Task   int    // in Snapshot.Tasks
	Gate   string // "validity" is the predicate W of PROPEL
	Pass   bool
	Reason string // in a word, as totals are kept
	Detail string // a sentence for a person, clipped as Task.Statement
}

// Validity is the gate that every proposal passes.
const Validity = "validity"

// textBytes is what a row or a line keeps of a text. Drawings show no more, and the store has it whole.
const textBytes = 512

func (b *Board) proposed(e event.TaskProposed) {
	k := e.Key
	k.Arm, k.Stage = b.intern(k.Arm), event.Stage(b.intern(string(k.Stage)))
	if b.rows == nil {
		b.rows = map[event.Key]int{}
	}
	t := Task{Key: k, Failed: clip(e.Error, textBytes), Statement: clip(e.Episode.Last(), textBytes)}
	b.rows[k] = b.tasks.add(t)
	if e.Error == "" {
		b.step(k, func(s *Step) { s.Proposed++ })
	}
}

func (b *Board) validated(e event.TaskValidated) {
	row := b.rows[e.Key]
	t := b.tasks.at(row)
	t.Validated, t.Valid, t.Reason = true, e.Validity.Valid, b.intern(e.Validity.Reason)
	t.Type = b.intern(e.Task.Type)
	if e.Task.Statement != "" {
		t.Statement = clip(e.Task.Statement, textBytes)
	}
	b.decisions.add(Decision{Task: row, Gate: Validity, Pass: t.Valid, Reason: t.Reason, Detail: clip(e.Validity.Detail, textBytes)})
	b.step(e.Key, func(s *Step) {
		b.trial(s, *t, 1, 0)
		if t.Valid {
			s.Valid++
			s.addType(t.Type)
		}
	})
}

func (b *Board) graded(e event.AttemptGraded) {
	t := b.tasks.at(b.rows[e.Key])
	switch e.Grading.Verdict {
	case domains.Right:
		t.Right++
	case domains.Wrong:
		t.Wrong++
	case domains.Undecided:
		t.Undecided++
	case domains.Error:
		t.Errors++
	}
	if t.Graded() == b.band.Attempts {
		b.step(e.Key, func(s *Step) {
			s.Graded++
			if b.band.Holds(t.Right, t.Graded()) {
				s.InBand++
				b.trial(s, *t, 0, 1)
			}
		})
	}
}

// clip is the first n bytes of a text or a little less, no character cut, in memory of their own: what is left out is not kept.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}
