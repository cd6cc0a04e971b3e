package recipe

import (
	"context"
	"strings"
	"sync"
	"testing"

	"verge/domains"
	"verge/domains/math"
	"verge/domains/prompt"
	"verge/probes"
	"verge/runner/backend"
)

// remote is a model that can be sampled and nothing else, as one behind a server.
type remote struct{ backend.Model }

// spoken is the domain, and which dialects it was asked to speak in.
type spoken struct {
	math.Domain
	mu   sync.Mutex
	seen map[string]domains.Dialect
}

func (s *spoken) note(role string, d domains.Dialect) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, ok := s.seen[role]; ok && before != d {
		d = before + " and " + d
	}
	s.seen[role] = d
}

func (s *spoken) ProposeTurn(d domains.Dialect, e domains.Episode) (prompt.Prompt, bool) {
	s.note("generator", d)
	return s.Domain.ProposeTurn(d, e)
}

func (s *spoken) SolveTurn(d domains.Dialect, style domains.Style, t domains.Task, e domains.Episode) (prompt.Prompt, bool) {
	s.note("solver", d)
	return s.Domain.SolveTurn(d, style, t, e)
}

func (s *spoken) Reading(d domains.Dialect, t domains.Task) prompt.Prompt {
	s.note("reference", d)
	return s.Domain.Reading(d, t)
}

// A frozen generator elsewhere has a probe all the same: a reference that is read here reads what it proposed.
func TestAGeneratorThatIsOnlySampledHasAProbeByItsReference(t *testing.T) {
	b, fold := bench(t, "run.arms=base,best-of-n", "best_of.n=3")
	talk := &spoken{seen: map[string]domains.Dialect{}}
	b.Lab.Domain = talk
	b.Generator.Model = remote{b.Generator.Model}
	b.Generator.Dialect, b.Lab.Solver.Dialect, b.Reference.Dialect = "talk", "terse", domains.Compact
	if needs := (PROPEL{}).Needs(b.Profile); len(needs["generator"]) != 1 || len(needs["reference"]) != 1 {
		t.Errorf("needs %v", needs)
	}
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]domains.Dialect{"generator": "talk", "solver": "terse", "reference": domains.Compact} {
		if talk.seen[role] != want {
			t.Errorf("the %s was spoken to in %q, want %q", role, talk.seen[role], want)
		}
	}
	s := fold.Snapshot()
	if a := s.Arm(Base); a.Measured != nil || a.Evaluated == nil {
		t.Errorf("base: %+v is known of a distribution that cannot be", a.Measured)
	}
	if p := s.Probe(inBandProbe); p == nil || !strings.Contains(p.Reads, "activation probe") || s.Arm(BestOfN).Evaluated.Probe != inBandProbe {
		t.Errorf("probe %+v", p)
	}

	b, _ = bench(t, "run.arms=validity-only")
	b.Generator.Model = remote{b.Generator.Model}
	if err := (PROPEL{}).Run(context.Background(), b); err == nil || !strings.Contains(err.Error(), `backend "engine"`) {
		t.Errorf("training what cannot be trained: error %v", err)
	}
}

func TestATextProbeNeedsNoReference(t *testing.T) {
	b, fold := bench(t, "run.arms=base,text-probe")
	if needs := (PROPEL{}).Needs(b.Profile); needs["reference"] != nil {
		t.Errorf("needs %v", needs)
	}
	b.Reference.Reader = probes.Reader(nil)
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if a := fold.Snapshot().Arm(TextProbe); len(a.Curve) == 0 || a.Evaluated == nil {
		t.Errorf("text-probe: %d updates", len(a.Curve))
	}
}
