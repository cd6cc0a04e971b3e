package profiles

import (
	"fmt"
	"slices"
)

// relation is something wrong between the values of several keys.
type relation struct {
	keys         []string // the one that was set last is named
	problem, fix string
}

// relations finds what is wrong between values that are each allowed. A relation with a key of faulty is left to that key's own error.
func relations(p *Profile, faulty map[string]bool) []error {
	var errs []error
	for _, r := range slices.Concat(roleRelations(&p.Roles), sharedRelations(&p.Roles), oracleRelations(p), armRelations(p), targetRelations(p.Target), probeRelations(p.Probe), policyRelations(p.Policy)) {
		if !slices.ContainsFunc(r.keys, func(k string) bool { return faulty[k] }) {
			errs = append(errs, p.Refuse(p.latest(r.keys), r.problem, r.fix))
		}
	}
	return errs
}

// oracleRelations refuse a single answer, which has nothing to agree with: whatever it says would be right.
func oracleRelations(p *Profile) []relation {
	if p.Oracle.Answers > 1 || len(p.Roles.Oracles) > 1 {
		return nil
	}
	return []relation{{[]string{"oracle.answers", "roles.oracles"}, "a single answer of a single model has no other to agree with", "oracle.answers = 2 or more, or two models in roles.oracles"}}
}

func armRelations(p *Profile) []relation {
	var rs []relation
	for _, arm := range p.Run.Arms {
		if allowed := arms[p.Run.Recipe]; !slices.Contains(allowed, arm) {
			rs = append(rs, relation{[]string{"run.arms", "run.recipe"},
				fmt.Sprintf("recipe %s has no arm %q", p.Run.Recipe, arm), "allowed: " + quoted(allowed)})
		}
	}
	if slices.Contains(p.Run.Arms, "sil-equal") && p.Policy.Schedule == "cosine" {
		rs = append(rs, relation{[]string{"policy.schedule", "run.arms"},
			"arm sil-equal makes as many updates as its attempts pay for, and a cosine has to know their number beforehand", `policy.schedule = "constant"`})
	}
	trained := slices.ContainsFunc(p.Run.Arms, func(arm string) bool { return arm != "base" && arm != "best-of-n" && arm != "cold-transfer" })
	if trained && p.Policy.Kind == LoRA {
		rs = append(rs, onPolicy("roles.generator", p.Roles.Generator)...)
	}
	if slices.Contains(p.Run.Arms, "cold-transfer") {
		if p.Policy.Kind == Context {
			rs = append(rs, relation{[]string{"policy.kind", "run.arms"},
				"arm cold-transfer trains the weights of another family's generator", `policy.kind = "lora", or run.arms without "cold-transfer"`})
		} else {
			rs = append(rs, onPolicy("roles.transfer", p.Roles.Transfer)...)
		}
	}
	return rs
}

// onPolicy refuses sampling that is not from the very distribution that a policy gradient takes the gradient of.
func onPolicy(role string, b Binding) []relation {
	// That a model behind a server cannot be trained is said when it is bound, and comes first.
	if b.Temperature == 1 && b.TopP == 1 && b.TopK == 0 || b.Backend != EngineBackend {
		return nil
	}
	return []relation{{[]string{role + ".temperature", role + ".top_p", role + ".top_k"},
		"an arm that is trained samples from the policy as it is", "temperature 1, top_p 1 and top_k 0"}}
}

func targetRelations(t Target) []relation {
	switch {
	case t.Low.cmp(int(t.High.Num), int(t.High.Den)) > 0:
		return []relation{{[]string{"target.low", "target.high"},
			fmt.Sprintf("the band %s to %s is empty", t.Low, t.High), "target.low is at most target.high"}}
	case !t.reachable():
		return []relation{{[]string{"target.low", "target.high", "target.attempts"},
			fmt.Sprintf("no number of right attempts of %d is a solve rate of %s to %s", t.Attempts, t.Low, t.High),
			fmt.Sprintf("a band that holds a multiple of 1/%d, or more attempts", t.Attempts)}}
	case t.inBand(0, t.Attempts) && t.inBand(t.Attempts, t.Attempts):
		return []relation{{[]string{"target.low", "target.high"},
			"every solve rate is in the band, so that there is nothing to tell apart", "target.low above 0, or target.high below 1"}}
	}
	return nil
}

func probeRelations(p Probe) []relation {
	var rs []relation
	if p.Pooling != "auto" && (p.Kind == "attention") != (p.Pooling == "attention") {
		rs = append(rs, relation{[]string{"probe.kind", "probe.pooling"}, fmt.Sprintf("a probe of kind %s does not pool by %s", p.Kind, p.Pooling),
			`probe.pooling = "auto"`})
	}
	if p.Kind == "attention" && p.Layer == AllLayers {
		rs = append(rs, relation{[]string{"probe.layer", "probe.kind"}, "a probe of kind attention reads the tokens of one layer", `probe.layer = "auto"`})
	}
	return rs
}

func policyRelations(p Policy) []relation {
	var rs []relation
	if p.Proposals%p.Group != 0 {
		below := p.Proposals - p.Proposals%p.Group
		fix := fmt.Sprintf("nearest are policy.proposals %d and %d", below, below+p.Group)
		if below == 0 {
			fix = fmt.Sprintf("nearest is policy.proposals %d", p.Group)
		}
		rs = append(rs, relation{[]string{"policy.proposals", "policy.group"},
			fmt.Sprintf("%d proposals are no whole number of groups of %d", p.Proposals, p.Group), fix})
	}
	if p.Kind == Context && p.Sampler != EngineBackend {
		rs = append(rs, relation{[]string{"policy.sampler", "policy.kind"},
			"a policy of kind context trains no weights that a server could be sent", `policy.sampler = "engine", with roles.generator.backend = "ollama" for a generator behind a server; or policy.kind = "lora"`})
	}
	if p.Kind == Context && p.Estimator == "reinforce++" {
		rs = append(rs, relation{[]string{"policy.estimator", "policy.kind"},
			"reinforce++ rewards the tokens of a reply one by one, and what a prompt says is one action", `policy.estimator = "grpo", "drgrpo" or "rloo"`})
	}
	if p.WarmupSteps > p.Steps {
		rs = append(rs, relation{[]string{"policy.warmup_steps", "policy.steps"},
			fmt.Sprintf("%d warm-up steps are more than all %d steps", p.WarmupSteps, p.Steps), "policy.warmup_steps is at most policy.steps"})
	}
	if p.Gamma != 1 && p.Estimator != "reinforce++" {
		rs = append(rs, relation{[]string{"policy.gamma", "policy.estimator"},
			fmt.Sprintf("estimator %s does not discount", p.Estimator), `policy.gamma = 1, or policy.estimator = "reinforce++"`})
	}
	if p.Baseline && p.Estimator != "reinforce++" {
		rs = append(rs, relation{[]string{"policy.baseline", "policy.estimator"},
			fmt.Sprintf("estimator %s compares the rewards of a group already", p.Estimator), `policy.baseline = false, or policy.estimator = "reinforce++"`})
	}
	return rs
}
