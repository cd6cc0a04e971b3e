package board

import (
	"maps"
	"math"

	"verge/runner/event"
)

// Step counts one update's proposals.
type Step struct {
	Step     int // updates made before
	Proposed int
	Valid    int
	Graded   int // of the tasks that were attempted in training, those with K attempts right or wrong
	InBand   int
	// Rate is InBand / Proposed, which says something once all valid proposals are graded.
	Rate   event.Rate
	Reward Moments // logits of the valid proposals
	Spread Moments // over the members of an ensemble, the standard deviation of each valid proposal's logits
	// Types counts the valid proposals by type, where the domain has types. It does not change.
	Types  map[string]int
	shared bool // Types is in a snapshot
}

func (s *Step) addType(name string) {
	if name == "" {
		return
	}
	if s.shared {
		s.Types, s.shared = maps.Clone(s.Types), false
	}
	if s.Types == nil {
		s.Types = map[string]int{}
	}
	s.Types[name]++
}

// share makes copies of steps that later events do not change.
func share(steps []Step) []Step {
	for i := range steps {
		steps[i].shared = true
	}
	return append([]Step(nil), steps...)
}

// step changes the count of a training step; other stages have none.
func (b *Board) step(k event.Key, change func(*Step)) {
	if k.Stage != event.Train {
		return
	}
	if b.steps == nil {
		b.steps = map[string][]Step{}
	}
	steps := b.steps[k.Arm]
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Step == k.Step {
			change(&steps[i])
			return
		}
	}
	s := Step{Step: k.Step}
	change(&s)
	b.steps[b.intern(k.Arm)] = append(steps, s)
}

// trial counts a step's proposal of a task, or that it turned out to be in the band.
func (b *Board) trial(s *Step, t Task, proposed, inBand int) {
	step := t.Key
	step.Proposal = 0
	of := b.trials[step]
	if of == nil {
		if b.trials == nil {
			b.trials = map[event.Key]*event.Trials{}
		}
		of = &event.Trials{}
		b.trials[step] = of
	}
	task := t.Statement
	if task == "" {
		task = t.Key.String() // nobody's repetition
	}
	of.Add(task, proposed, inBand)
	s.Rate = of.Rate()
}

// Scores is the distribution of one probe's logits over one arm's proposals of one stage.
type Scores struct {
	Probe string
	Arm   string
	Stage event.Stage
	Moments
	// Bins count logits in steps of BinWidth from MinLogit on; what lies outside is in the first and the last.
	Bins [Bins]int
}

// The bins of a distribution.
const (
	Bins     = 96
	MinLogit = -12.0
	BinWidth = 0.25
)

// Moments are a running mean and variance.
type Moments struct {
	N       int
	Mean    float64
	squares float64
}

// SD is the standard deviation with n − 1; not a number of fewer than two values.
func (m Moments) SD() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return math.Sqrt(m.squares / float64(m.N-1))
}

func (m *Moments) add(x float64) {
	m.N++
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.squares += d * (x - m.Mean)
}

func (b *Board) scored(e event.ProbeScored) {
	t := b.tasks.at(b.rows[e.Key])
	t.Scored, t.Logit = true, e.Logit
	b.step(e.Key, func(s *Step) {
		s.Reward.add(e.Logit)
		if e.Spread != nil {
			s.Spread.add(*e.Spread)
		}
	})
	d := b.distribution(e)
	d.add(e.Logit)
	d.Bins[bin(e.Logit)]++
}

func (b *Board) distribution(e event.ProbeScored) *Scores {
	for _, d := range b.scores {
		if d.Probe == e.Probe && d.Arm == e.Key.Arm && d.Stage == e.Key.Stage {
			return d
		}
	}
	d := &Scores{Probe: b.intern(e.Probe), Arm: b.intern(e.Key.Arm), Stage: event.Stage(b.intern(string(e.Key.Stage)))}
	b.scores = append(b.scores, d)
	return d
}

// bin is where a logit is counted; one that is no number in the first bin, with those that lie below all.
func bin(logit float64) int {
	switch at := (logit - MinLogit) / BinWidth; {
	case at >= Bins:
		return Bins - 1
	case at > 0:
		return int(at)
	}
	return 0
}
