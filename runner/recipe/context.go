package recipe

import (
	"fmt"

	"verge/domains"
	"verge/profiles"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/policy"
)

// Where policy.kind = "context", every proposal of a run has a cue. The untrained generator's are drawn evenly: that is where training starts
// from, so it is what the corpus is collected by and what the arm base is. A base without cues would be another generator, and a part of every
// gain would be that of varied prompts.
//
// Prompts may show exemplars: tasks of the corpus that were in band by real attempts. PROPEL's reward in the loop is a probe's logit, and
// what a probe scores highest is no evidence. The archive is the same for all arms and does not grow, so that an arm differs from another by
// its rewards alone; every arm, also the base, is then billed for the corpus that it was taken from.

// Suits refuses a profile whose policy has nothing to work on in a domain.
func Suits(p *profiles.Profile, d domains.Domain) error {
	if _, ok := d.(domains.Steered); ok || p.Policy.Kind != profiles.Context {
		return nil
	}
	return p.Refuse("policy.kind", fmt.Sprintf("in domain %s this generator's prompt says nothing that could be trained", d.Name()),
		`policy.kind = "lora", or a generator that follows instructions, such as one of backend "ollama"`)
}

// exhibits says that prompts show exemplars.
func exhibits(p *profiles.Profile) bool {
	return p.Policy.Kind == profiles.Context && p.Policy.Exemplars > 0
}

// steer has the untrained generator draw its cues, with the tasks of a corpus that were in band as exemplars.
func (b *Bench) steer(corpus []*lab.Proposal) error {
	if b.Profile.Policy.Kind != profiles.Context {
		return nil
	}
	c := b.Profile.Policy
	b.archive = b.inBand(corpus, c.Archive)
	if few := len(b.archive); corpus != nil && few < c.Exemplars {
		text := fmt.Sprintf("%d different tasks of the corpus are in band, so that prompts show %d at the most, not policy.exemplars = %d", few, few, c.Exemplars)
		if err := b.emit(event.Warned{Code: "few-exemplars", Text: text}); err != nil {
			return err
		}
	}
	start, err := b.newContext(b.Generator)
	if err != nil {
		return err
	}
	b.Generator = sampledBy(b.Generator, start)
	return nil
}

// inBand is the statements of the first n of the proposals that are in band, one of those that are near-duplicates.
func (b *Bench) inBand(proposals []*lab.Proposal, n int) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range proposals {
		if len(out) == n {
			break
		}
		if in, _ := b.labelled(p); !p.Valid() || !in {
			continue
		}
		if s := b.Lab.Domain.Skeleton(p.Task); !seen[s] {
			seen[s] = true
			out = append(out, p.Task.Statement)
		}
	}
	return out
}

func (b *Bench) newContext(from lab.Generator) (*policy.Context, error) {
	if err := Suits(b.Profile, b.Lab.Domain); err != nil {
		return nil, err
	}
	c := b.Profile.Policy
	return policy.NewContext(from.Model, policy.ContextOptions{
		Factors: b.Lab.Domain.(domains.Steered).Factors(), Exemplars: c.Exemplars, Archive: b.archive,
		Estimator: policy.Estimator(c.Estimator), Group: c.Group, Schedule: schedule(c), KL: c.KL, Clip: c.Clip,
	})
}

// sampledBy is a generator whose proposals are sampled from s.
func sampledBy(from lab.Generator, s policy.Sampler) lab.Generator {
	from.Model, from.Cues = s.Model(), nil
	if c, ok := s.(policy.Cuer); ok {
		from.Cues = c
	}
	return from
}

// contextUpdated is what a policy asks for after so many updates; nothing of a policy that asks for nothing.
func contextUpdated(arm string, step int, p policy.Policy) []event.Event {
	c, ok := p.(*policy.Context)
	if !ok {
		return nil
	}
	e := event.ContextUpdated{Arm: arm, Step: step}
	for _, m := range c.Marginals() {
		e.Factors = append(e.Factors, event.FactorLearned(m))
	}
	return []event.Event{e}
}
