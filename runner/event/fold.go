package event

import (
	"fmt"
	"sync"

	"verge/domains"
)

// Fold turns a stream of events into the state that is shown. Its zero value is ready; it is safe for concurrent use.
type Fold struct {
	mu        sync.Mutex
	state     State
	proposals map[Key]*proposal
	open      *Tally // of the stage that goes on
	snapshot  *State
}

// proposal is what the fold has to know of a proposal until its last attempt.
type proposal struct {
	tally     *Tally
	outcome   *outcome // of its task; of itself alone while it has none
	failed    bool     // its generation
	validated bool
	valid     bool
	oracled   bool
	oracles   int    // that were asked of it
	attempted []bool // by number of the attempt
	tried     int    // of them
	right     int
	wrong     int
}

// Snapshot is the state after the events applied so far. It is not changed by later ones, and costs nothing while there
// are none.
func (f *Fold) Snapshot() *State {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.snapshot == nil {
		f.snapshot = f.state.clone()
	}
	return f.snapshot
}

// Apply folds one more event, in constant time. An event that contradicts those before it (an attempt at no valid task,
// a proposal made twice, an arm that the run does not have) is an error that names it, and leaves the state as it was.
func (f *Fold) Apply(e Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.apply(e); err != nil {
		return fmt.Errorf("event %d: %s: %w", f.state.Events+1, e.Name(), err)
	}
	f.state.Events++
	f.snapshot = nil
	return nil
}

func (f *Fold) apply(e Event) error {
	s := &f.state
	start, starts := e.(RunStarted)
	switch {
	case starts && s.Run != nil:
		return fmt.Errorf("the run has started already")
	case starts:
		return f.start(start)
	case s.Run == nil:
		return fmt.Errorf("the run has not started: RunStarted comes first")
	case s.Ended != nil && s.Ended.Failed == "":
		return fmt.Errorf("the run has ended")
	}
	if err := f.applyRunning(e); err != nil {
		return err
	}
	if _, ends := e.(RunEnded); !ends {
		s.Ended = nil // a failed run goes on when it is resumed
	}
	return nil
}

func (f *Fold) applyRunning(e Event) error {
	s := &f.state
	switch e := e.(type) {
	case StageStarted:
		return f.stage(e)
	case TaskProposed:
		return f.proposed(e)
	case TaskValidated:
		return f.validated(e)
	case OracleAnswered:
		return f.answered(e)
	case AttemptGraded:
		return f.graded(e)
	case ProbeScored:
		return f.scored(e)
	case ProbeTrained:
		if f.open == s.Corpus {
			f.close()
		}
		s.Probes = append(s.Probes, e)
	case ProbeMonitored:
		return f.onArm(e.Arm, func(a *Arm) { a.Monitored = append(a.Monitored, e) })
	case PolicyUpdated:
		return f.updated(e)
	case ContextUpdated:
		return f.onArm(e.Arm, func(a *Arm) { a.Contexts = append(a.Contexts, e) })
	case PolicyKept:
		return f.onArm(e.Arm, func(a *Arm) { a.Kept = &e })
	case Measured:
		return f.onArm(e.Arm, func(a *Arm) { a.Measured = &e })
	case DiversityMeasured:
		return f.onArm(e.Arm, func(a *Arm) {
			if e.Stage == Eval {
				a.Diversity = &e
			} else {
				a.Varieties = append(a.Varieties, e)
			}
		})
	case WeaknessUpdated:
		return f.onArm(e.Arm, func(a *Arm) { a.Weakness = &e })
	case Evaluated:
		if e.Probe != "" && s.Probe(e.Probe) == nil {
			return fmt.Errorf("probe %q was not trained in this run", e.Probe)
		}
		f.close()
		return f.onArm(e.Arm, func(a *Arm) { a.Evaluated = &e })
	case BackendNoticed:
		s.noticed(e)
	case Warned:
		s.Warnings = append(s.Warnings, e)
	case RunEnded:
		if e.Failed == "" {
			f.close()
		}
		s.Ended = &e
	default:
		return fmt.Errorf("%T is no event of this package; events are passed by value", e)
	}
	return nil
}

func (f *Fold) start(e RunStarted) error {
	if e.Attempts < 1 {
		return fmt.Errorf("attempts = %d: a solve rate needs at least 1", e.Attempts)
	}
	if b := e.Band(); !(e.Low <= e.High) || b.Fewest > b.Most {
		return fmt.Errorf("band %v … %v, %d to %d right of %d, is empty", e.Low, e.High, b.Fewest, b.Most, b.Attempts)
	}
	seen := map[string]bool{}
	var arms []*Arm
	for _, name := range e.Arms {
		if seen[name] {
			return fmt.Errorf("arm %q is listed twice", name)
		}
		seen[name] = true
		arms = append(arms, &Arm{Name: name, Train: newTally(e.Attempts), Start: newTally(e.Attempts), Choice: newTally(e.Attempts), Eval: newTally(e.Attempts)})
	}
	f.state.Run, f.state.Arms = &e, arms
	f.state.Corpus, f.state.Sample = newTally(e.Attempts), newTally(e.Attempts)
	f.proposals = map[Key]*proposal{}
	return nil
}

func (f *Fold) onArm(name string, do func(*Arm)) error {
	a := f.state.Arm(name)
	if a == nil {
		return fmt.Errorf("arm %q is not among the run's arms %q", name, f.state.Run.Arms)
	}
	do(a)
	return nil
}

// tally is where the proposals of an arm's stage are counted.
func (f *Fold) tally(arm string, stage Stage) (*Tally, error) {
	var t *Tally
	var err error
	switch stage {
	case Corpus:
		t = f.state.Corpus
	case Probe:
		t = f.state.Sample
	case Train:
		err = f.onArm(arm, func(a *Arm) { t = a.Train })
	case Start:
		err = f.onArm(arm, func(a *Arm) { t = a.Start })
	case Choice:
		err = f.onArm(arm, func(a *Arm) { t = a.Choice })
	case Eval:
		err = f.onArm(arm, func(a *Arm) { t = a.Eval })
	default:
		err = fmt.Errorf("stage %q is none of %q", stage, []Stage{Corpus, Train, Probe, Start, Choice, Eval})
	}
	return t, err
}

func (f *Fold) stage(e StageStarted) error {
	t, err := f.tally(e.Arm, e.Stage)
	if err != nil {
		return err
	}
	f.close()
	t.Total, t.open, f.open = e.Total, true, t
	if e.Stage != Train {
		t.announced = e.Total
	}
	f.state.Stage = &e
	return nil
}

// close ends the stage that goes on: what was not attempted in it never will be.
func (f *Fold) close() {
	if f.open != nil {
		f.open.open, f.open = false, nil
	}
}

func (f *Fold) proposed(e TaskProposed) error {
	t, err := f.tally(e.Key.Arm, e.Key.Stage)
	if err != nil {
		return err
	}
	if f.proposals[e.Key] != nil {
		return fmt.Errorf("%s was proposed already", e.Key)
	}
	p := &proposal{tally: t, failed: e.Error != "", outcome: &outcome{}}
	f.proposals[e.Key] = p
	t.ProposalTokens += e.Tokens
	if p.failed {
		t.Errors++
		return nil
	}
	t.Proposed++
	t.add(p.outcome, outcome{proposed: 1})
	return nil
}

func (f *Fold) validated(e TaskValidated) error {
	p := f.proposals[e.Key]
	switch {
	case p == nil:
		return fmt.Errorf("%s was not proposed", e.Key)
	case p.failed:
		return fmt.Errorf("%s is an error, so no task", e.Key)
	case p.validated:
		return fmt.Errorf("%s was validated already", e.Key)
	}
	p.validated, p.valid = true, e.Validity.Valid
	t := p.tally
	// A reply without a statement is nobody's repetition: it stays a cluster of its own.
	if e.Task.Statement != "" {
		t.add(p.outcome, outcome{proposed: -1})
		p.outcome = t.task(e.Task.ID)
		t.add(p.outcome, outcome{proposed: 1})
	}
	if !p.valid {
		t.Invalid[e.Validity.Reason]++
		return nil
	}
	t.Valid++
	if p.oracled = e.Task.Oracle.Known; p.oracled {
		t.Oracled++
	}
	t.add(p.outcome, outcome{valid: 1})
	if e.Task.Type != "" {
		t.Types[e.Task.Type]++
	}
	return nil
}

func (f *Fold) answered(e OracleAnswered) error {
	p, err := f.validTask(e.Key)
	if err != nil {
		return err
	}
	if p.oracled {
		return fmt.Errorf("%s has an answer already", e.Key)
	}
	if e.Oracle != p.oracles {
		return fmt.Errorf("%s: oracle %d comes when %d have answered", e.Key, e.Oracle, p.oracles)
	}
	p.oracles++
	t := p.tally
	if e.Oracle == 0 {
		t.Asked++
	}
	failed := 0
	for _, a := range e.Answers {
		if a.Error != "" {
			failed++
		}
	}
	t.OracleCalls += len(e.Answers)
	t.OracleErrors += failed
	t.OracleTokens += e.Tokens
	switch {
	case e.Answer.Known:
		p.oracled = true
		t.Agreed++
		t.Oracled++
	case !e.Agreed:
		t.refused++
		if failed == 0 {
			t.Disagreed++
		}
	}
	return nil
}

func (f *Fold) graded(e AttemptGraded) error {
	p, err := f.validTask(e.Key)
	if err != nil {
		return err
	}
	k := f.state.Run.Attempts
	if e.Attempt < 0 || e.Attempt >= k {
		return fmt.Errorf("%s: attempt %d is outside 0 … %d", e.Key, e.Attempt, k-1)
	}
	if p.attempted == nil {
		p.attempted = make([]bool, k)
	}
	if p.attempted[e.Attempt] {
		return fmt.Errorf("%s: attempt %d was graded already", e.Key, e.Attempt)
	}
	switch e.Grading.Verdict {
	case domains.Right:
		p.right++
	case domains.Wrong:
		p.wrong++
	case domains.Undecided, domains.Error:
	default:
		return fmt.Errorf("%s: attempt %d: unknown verdict %q", e.Key, e.Attempt, e.Grading.Verdict)
	}
	p.attempted[e.Attempt] = true
	t := p.tally
	t.Attempts++
	t.AttemptTokens += e.Tokens
	t.Verdicts[e.Grading.Verdict]++
	if p.tried++; p.tried == k {
		t.Tried++
	}
	if p.right+p.wrong < k {
		return nil
	}
	t.Graded++
	t.Histogram[p.right]++
	if f.state.Band().Holds(p.right, k) {
		t.InBand++
		if p.oracled {
			t.InBandOracled++
		}
		t.add(p.outcome, outcome{inBand: 1})
	}
	return nil
}

func (f *Fold) scored(e ProbeScored) error {
	p, err := f.validTask(e.Key)
	if err != nil {
		return err
	}
	p.tally.Scores[e.Probe] = p.tally.Scores[e.Probe].add(e.Logit)
	return nil
}

func (f *Fold) updated(e PolicyUpdated) error {
	a := f.state.Arm(e.Arm)
	if a != nil && len(a.Curve) > 0 {
		if last := a.Curve[len(a.Curve)-1].Step; e.Step <= last {
			return fmt.Errorf("arm %q: step %d comes after step %d", e.Arm, e.Step, last)
		}
	}
	return f.onArm(e.Arm, func(a *Arm) { a.Curve = append(a.Curve, e) })
}

func (f *Fold) validTask(k Key) (*proposal, error) {
	p := f.proposals[k]
	if p == nil || !p.valid {
		return nil, fmt.Errorf("%s is no valid task", k)
	}
	return p, nil
}
