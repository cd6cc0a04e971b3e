package event

import (
	"maps"
	"slices"

	"verge/domains"
)

// Tally counts what happened to the proposals of one stage of one arm.
//
// A proposal whose generation failed is an error: it is counted in Errors and nowhere else, so that a broken connection
// is neither a valid nor an invalid task. The generator was asked Proposed + Errors times.
type Tally struct {
	Total    int // announced: proposals, or for Train policy updates
	Proposed int // proposals that the generator made
	Errors   int // proposals whose generation failed
	Valid    int
	Invalid  map[string]int // by reason
	Types    map[string]int // of valid tasks, by type, where the domain has types

	Attempts      int // of the solver, whatever their verdict: each was paid for
	Verdicts      map[domains.Verdict]int
	Oracled       int // valid tasks with an oracle's answer
	InBandOracled int // of them, those in band
	Asked         int // valid tasks that oracle models were asked of
	Agreed        int // of them, those that all answers agree on
	Disagreed     int // of them, those whose answers do not agree; one that could not be had is no disagreement
	OracleCalls   int // answers asked of oracle models
	OracleErrors  int // of them, those that could not be had
	OracleTokens  int
	Tried         int   // valid tasks with all K attempts made, whatever their verdicts
	Graded        int   // of them, those with all attempts right or wrong
	Histogram     []int // graded tasks by number of right attempts, 0 … K
	InBand        int   // graded tasks with a solve rate in the band

	ProposalTokens int
	AttemptTokens  int

	Scores map[string]Mean // logits of valid tasks, by probe

	open                bool                // its stage goes on
	announced           int                 // proposals; 0 of a stage that announces updates
	refused             int                 // tasks that are not attempted because no answer was agreed on
	tasks               map[string]*outcome // by task ID
	valid, inBand, both squares
}

// Mean is a running mean.
type Mean struct {
	N     int
	Value float64
}

func (m Mean) add(x float64) Mean {
	m.N++
	m.Value += (x - m.Value) / float64(m.N)
	return m
}

// outcome counts the proposals of one task.
type outcome struct {
	proposed, valid, inBand int
}

func newTally(attempts int) *Tally {
	return &Tally{
		Invalid:   map[string]int{},
		Types:     map[string]int{},
		Verdicts:  map[domains.Verdict]int{},
		Histogram: make([]int, attempts+1),
		Scores:    map[string]Mean{},
		tasks:     map[string]*outcome{},
	}
}

// task is the outcome that proposals of one task ID share.
func (t *Tally) task(id string) *outcome {
	o := t.tasks[id]
	if o == nil {
		o = &outcome{}
		t.tasks[id] = o
	}
	return o
}

// add changes the outcome of one task, and the sums over tasks with it.
func (t *Tally) add(o *outcome, d outcome) {
	n := outcome{o.proposed + d.proposed, o.valid + d.valid, o.inBand + d.inBand}
	t.valid.move(o.proposed, o.valid, n.proposed, n.valid)
	t.inBand.move(o.proposed, o.inBand, n.proposed, n.inBand)
	t.both.move(o.valid, o.inBand, n.valid, n.inBand)
	*o = n
}

// Ungraded is the number of valid tasks with fewer than K attempts graded right or wrong. They are not in band and in
// no histogram. While a stage runs, those whose attempts are still to come are among them.
func (t *Tally) Ungraded() int { return t.Valid - t.Graded }

// ValidRate is valid / proposed.
func (t *Tally) ValidRate() Rate {
	return Rate{Hits: t.Valid, Trials: t.Proposed, tasks: t.valid}
}

// Settled says that no proposals, no verdicts of W and no attempts are still to come. Until then what is in band of all proposals, or of all
// valid ones, is not known: tasks that were not attempted yet would count as outside.
func (t *Tally) Settled() bool {
	if !t.open {
		return true
	}
	validated := t.Valid
	for _, n := range t.Invalid {
		validated += n
	}
	return validated >= max(t.Proposed, t.announced-t.Errors) && t.Tried+t.refused >= t.Valid
}

// InBandRate is in band / proposed, the utility of PROPEL (arXiv 2606.18284). It is undefined, a rate of no trials, until the tally is settled.
func (t *Tally) InBandRate() Rate {
	if !t.Settled() {
		return Rate{}
	}
	return Rate{Hits: t.InBand, Trials: t.Proposed, tasks: t.inBand}
}

// InBandGivenValid is in band / valid, undefined until the tally is settled.
func (t *Tally) InBandGivenValid() Rate {
	if !t.Settled() {
		return Rate{}
	}
	return Rate{Hits: t.InBand, Trials: t.Valid, tasks: t.both}
}

// TopType is the share of the most frequent type among valid tasks, in 0 … 1; false when no valid task has a type.
func (t *Tally) TopType() (float64, bool) {
	top := 0
	for _, n := range t.Types {
		top = max(top, n)
	}
	if top == 0 {
		return 0, false
	}
	return float64(top) / float64(t.Valid), true
}

// clone copies what is shown, without the index that only the fold needs.
func (t *Tally) clone() *Tally {
	c := *t
	c.Invalid = maps.Clone(t.Invalid)
	c.Types = maps.Clone(t.Types)
	c.Verdicts = maps.Clone(t.Verdicts)
	c.Histogram = slices.Clone(t.Histogram)
	c.Scores = maps.Clone(t.Scores)
	c.tasks = nil
	return &c
}
