package charts

import (
	"fmt"

	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
)

// propelArm is how an arm of PROPEL (arXiv 2606.18284) differs from the others.
type propelArm struct {
	trains bool
	reward string // what pays it, in a few words
	probe  string // that pays or chooses, to begin with, so that a corpus is collected; "" where none does
	solver bool   // attempts pay
	start  bool   // it starts as a generator of its own
	choice bool   // it chooses instead of training
}

var propelArms = map[string]propelArm{
	"base":            {},
	"propel":          {trains: true, reward: "probe logit", probe: "in-band"},
	"propel-wco":      {trains: true, reward: "least logit", probe: "ensemble"},
	"propel-coevolve": {trains: true, reward: "least logit", probe: "in-band"},
	"cold-transfer":   {trains: true, reward: "probe logit", probe: "in-band", start: true},
	"best-of-n":       {reward: "probe logit", probe: "in-band", choice: true},
	"text-probe":      {trains: true, reward: "text logit", probe: "text"},
	"validity-only":   {trains: true, reward: "validity"},
	"sil-equal":       {trains: true, reward: "utility", solver: true},
	"sil-long":        {trains: true, reward: "utility", solver: true},
}

// stagesOf are the stages of the looked-at arm: of an arm that is not known, those that something has happened in.
func stagesOf(c pane.Context, a *event.Arm) []stage {
	kind, known := propelArms[a.Name]
	if !known {
		kind = propelArm{trains: begun(a.Train), reward: "reward", start: begun(a.Start), choice: begun(a.Choice)}
	}
	var stages []stage
	if kind.probe != "" {
		stages = append(stages, tallied(stage{name: "collect", short: "collect", what: "once, with the frozen base", state: stateOf(c, "", event.Corpus, begun(c.Corpus)), nodes: attempted(c, c.Corpus)}, c.Corpus),
			probeStage(c, a))
	}
	if kind.start {
		stages = append(stages, tallied(stage{name: "measure the start", short: "start", what: "untrained", state: stateOf(c, a.Name, event.Start, begun(a.Start)), nodes: attempted(c, a.Start)}, a.Start))
	}
	if kind.trains {
		stages = append(stages, trainStage(c, a, kind))
	}
	if kind.choice {
		nodes := append(proposed(a.Choice), rewardNode(c, a.Choice, a, kind))
		stages = append(stages, tallied(stage{name: "choose", short: "choose", what: "the best by the probe", state: stateOf(c, a.Name, event.Choice, begun(a.Choice)), nodes: nodes}, a.Choice))
	}
	return append(stages, tallied(stage{name: "evaluate", short: "evaluate", what: "fresh tasks, with the solver", state: stateOf(c, a.Name, event.Eval, begun(a.Eval)), nodes: attempted(c, a.Eval)}, a.Eval))
}

// ForCorpus is the first of some arms that a corpus is collected for, or "".
func ForCorpus(arms []*event.Arm) string {
	for _, a := range arms {
		if propelArms[a.Name].probe != "" {
			return a.Name
		}
	}
	return ""
}

func begun(t *event.Tally) bool { return t.Total+t.Proposed+t.Errors > 0 }

// tallied is a stage with the proposals that were made of those announced.
func tallied(s stage, t *event.Tally) stage {
	s.done, s.total, s.unit, s.drops = t.Proposed+t.Errors, t.Total, "proposals", drops(t)
	return s
}

func probeStage(c pane.Context, a *event.Arm) stage {
	p := armProbe(c, a)
	s := stage{name: "train the probe", short: "probe", what: "once, on activations", state: stateOf(c, "", event.Probe, p != nil),
		nodes: []node{{"labelled", "labelled", figure.Unknown, ""}, {namedInBand, namedInBand, figure.Unknown, ""}, {"AUROC", "AUROC", figure.Unknown, ""}, {"RVP", "RVP", figure.Unknown, ""}}}
	if p == nil {
		return s
	}
	s.what = probeWords(p)
	s.nodes[0].count, s.nodes[1].count, s.nodes[1].share = figure.Count(p.Tasks), figure.Count(p.InBand), share(p.InBand, p.Tasks)
	s.nodes[2].count, s.nodes[3].count = figure.Number(p.Quality.AUROC, 3), figure.Number(p.Quality.RVP, 3)
	return s
}

// probeWords says what a probe is, in a few words.
func probeWords(p *event.ProbeTrained) string {
	words := text.Safe(p.Probe) + ": " + text.Safe(p.Kind)
	if p.Members > 1 {
		return words + fmt.Sprintf(", %d of them", p.Members)
	}
	if p.Pooling != "" {
		words += fmt.Sprintf(", %s of layer %d", text.Safe(p.Pooling), p.Layer)
	}
	return words
}

// trainStage is the reinforcement learning of a policy.
func trainStage(c pane.Context, a *event.Arm, kind propelArm) stage {
	s := stage{name: "train the policy", short: "train", what: "no attempts for rewards", state: stateOf(c, a.Name, event.Train, begun(a.Train)),
		nodes: proposed(a.Train), drops: drops(a.Train), done: len(a.Curve), total: a.Train.Total, unit: "updates"}
	if kind.solver {
		s.what, s.nodes = "solver in the loop", attempted(c, a.Train)
	} else {
		s.nodes = append(s.nodes, rewardNode(c, a.Train, a, kind))
		if n := a.Train.Attempts; n > 0 {
			s.what += fmt.Sprintf(", %s to monitor or label", figure.Count(n))
		}
	}
	update := node{"update", "updates", figure.Unknown, ""}
	if n := len(a.Curve); n > 0 {
		update.count = fmt.Sprint(a.Curve[n-1].Step)
	}
	s.nodes = append(s.nodes, update)
	return s
}

// rewardNode is the mean reward of the latest update, or of all scores where there was none.
func rewardNode(c pane.Context, t *event.Tally, a *event.Arm, kind propelArm) node {
	n := node{kind.reward, "reward", figure.Unknown, ""}
	if p := armProbe(c, a); p != nil {
		if m, ok := t.Scores[p.Probe]; ok && m.N > 0 {
			n.count = figure.Signed(&m.Value, 2)
		}
	}
	if k := len(a.Curve); k > 0 && t == a.Train {
		n.count = figure.Signed(&a.Curve[k-1].Reward, 2)
	}
	return n
}
