package recipe

import "verge/profiles"

// Cost is what a run spends at the most, in so far as its profile tells: as if every proposal were valid.
type Cost struct {
	Measuring int // attempts that label the corpus and evaluate the arms
	Training  int // attempts that rewards cost
	Updated   int // proposals that policies are updated on
	Answers   int // of oracles, before tasks without an exact answer are attempted; as if no task had one
}

// Attempts are all attempts.
func (c Cost) Attempts() int { return c.Measuring + c.Training }

// Cost implements Recipe. An arm counts as one whose rewards cost attempts unless it is known that they cost none.
func (PROPEL) Cost(p *profiles.Profile) Cost {
	k := p.Target.Attempts
	corpus := p.Corpus.Proposals * k
	loop := p.Policy.Steps * p.Policy.Proposals
	monitoring := 0 // of an arm that a probe rewards
	if every := p.Probe.MonitorEvery; every > 0 {
		monitoring = p.Policy.Steps / every * min(p.Probe.MonitorTasks, p.Policy.Proposals) * k
	}
	var c Cost
	if collects(p) {
		c.Measuring = corpus
	}
	for _, arm := range p.Run.Arms {
		c.Measuring += p.Evaluation.Proposals * k
		if probeOf[arm] != "" && arm != BestOfN {
			c.Training += monitoring
		}
		switch arm {
		case Base:
		case BestOfN:
		case Propel, WCO, TextProbe, ValidityOnly:
			c.Updated += loop
		case ColdTransfer:
			c.Measuring += p.Evaluation.Proposals * k // of its own base
			c.Updated += loop
		case Coevolve:
			c.Training += (p.Policy.Steps - 1) / p.Coevolve.Every * min(p.Coevolve.Tasks, p.Policy.Proposals) * k
			c.Updated += loop
		case SILEqual:
			c.Training += corpus
			c.Updated += p.Corpus.Proposals
		default:
			c.Training += loop * k
			c.Updated += loop
		}
	}
	c.Answers = c.Attempts() / k * answersEach(p)
	return c
}

// answersEach is how many answers oracles give to a task that is attempted: none where the generator is an embedded model, whose tasks are
// calculations.
func answersEach(p *profiles.Profile) int {
	if p.Roles.Generator.Embedded() {
		return 0
	}
	return p.Oracle.Answers * max(1, len(p.Roles.Oracles)) // without oracles the judge is the one
}
