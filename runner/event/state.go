package event

import "slices"

// State is everything that is shown of a run, as of some event. A State that a Fold hands out never changes.
type State struct {
	Events   int         // how many were folded: the state's version
	Run      *RunStarted // nil before the run has started
	Stage    *StageStarted
	Corpus   *Tally // the pseudo-arm of proposals collected to train probes, whichever arm their keys name
	Sample   *Tally // the pseudo-arm of proposals of the base policy that only a probe scores, likewise
	Arms     []*Arm // as RunStarted lists them
	Probes   []ProbeTrained
	Warnings []Warned
	Backend  Backend   // what is known of the servers that serve the run's models
	Ended    *RunEnded // nil while the run goes on, and of one that was interrupted
}

// Arm is what is shown of one arm.
type Arm struct {
	Name      string
	Train     *Tally
	Start     *Tally // of its untrained generator, where that is not the run's
	Choice    *Tally // that its evaluation proposals were chosen from
	Eval      *Tally
	Curve     []PolicyUpdated
	Contexts  []ContextUpdated // of a policy on context: what it asks for, by update
	Monitored []ProbeMonitored
	Varieties []DiversityMeasured // of the updates' proposals
	Diversity *DiversityMeasured  // of the evaluation's, nil until it is measured
	Weakness  *WeaknessUpdated    // likewise
	Kept      *PolicyKept         // nil until its policy is kept
	Measured  *Measured           // nil until its policy's distribution is measured
	Evaluated *Evaluated          // nil until its evaluation is complete
}

// Arm finds an arm by name, or is nil.
func (s *State) Arm(name string) *Arm {
	for _, a := range s.Arms {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Probe finds the last training of a probe by name, or is nil.
func (s *State) Probe(name string) *ProbeTrained {
	for i := len(s.Probes) - 1; i >= 0; i-- {
		if s.Probes[i].Probe == name {
			return &s.Probes[i]
		}
	}
	return nil
}

// Band is the band of the run.
func (s *State) Band() Band { return s.Run.Band() }

// AttemptsTrain is what training the arm cost in solver attempts: those of its probe's corpus and those in its own
// training, where rewards or monitoring bought them.
func (a *Arm) AttemptsTrain() int {
	n := a.Train.Attempts
	if a.Evaluated != nil {
		n += a.Evaluated.CorpusAttempts
	}
	return n
}

// Unused is how many proposals of the arm's training no update was made on: those of an update under way, and of one that an arm stopped
// before because it could not pay for its attempts.
func (a *Arm) Unused() int {
	n := a.Train.Proposed + a.Train.Errors
	for _, u := range a.Curve {
		n -= u.Proposals
	}
	return n
}

// AttemptsEval is what measuring the arm cost in solver attempts, its own untrained generator included.
func (a *Arm) AttemptsEval() int { return a.Start.Attempts + a.Eval.Attempts }

// clone copies a state that is still being folded. Lists that only grow are shared up to their present length.
func (s *State) clone() *State {
	c := *s
	if s.Run != nil {
		c.Corpus, c.Sample = s.Corpus.clone(), s.Sample.clone()
	}
	c.Arms = make([]*Arm, len(s.Arms))
	for i, a := range s.Arms {
		arm := *a
		arm.Train, arm.Start, arm.Choice, arm.Eval = a.Train.clone(), a.Start.clone(), a.Choice.clone(), a.Eval.clone()
		arm.Curve = slices.Clip(a.Curve)
		arm.Contexts = slices.Clip(a.Contexts)
		arm.Monitored = slices.Clip(a.Monitored)
		arm.Varieties = slices.Clip(a.Varieties)
		c.Arms[i] = &arm
	}
	c.Probes = slices.Clip(s.Probes)
	c.Warnings = slices.Clip(s.Warnings)
	c.Backend = s.Backend.clone()
	return &c
}
