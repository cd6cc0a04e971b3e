package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/recipe"
	"verge/runner/store"
)

// A probe that reads one model rewards proposals of another, as cold transfer does.
func TestAProbeReadsTheReferenceAndNotTheGenerator(t *testing.T) {
	quality := map[string]event.ProbeTrained{}
	for _, reference := range []string{profiles.OfGenerator, profiles.MicroB} {
		var dir string
		p := small(t, "roles.reference.model="+reference, "policy.steps=1")
		if _, err := Run(context.Background(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }}); err != nil {
			t.Fatal(err)
		}
		r, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		fold, err := r.Load()
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		s := fold.Snapshot()
		quality[reference] = *s.Probe("in-band")
		models := s.Run.Provenance.Models
		at := slices.IndexFunc(models, func(m event.Model) bool { return m.Role == "reference" })
		if at < 0 || (models[at].Digest == models[0].Digest) != (reference == profiles.OfGenerator) {
			t.Errorf("reference %s: provenance %+v", reference, models)
		}
	}
	own, other := quality[profiles.OfGenerator], quality[profiles.MicroB]
	if own.Tasks != other.Tasks || *own.Quality.Brier == *other.Quality.Brier {
		t.Errorf("the probes read %+v and %+v", own, other)
	}
}

func TestBackendsThatCannotAreRefused(t *testing.T) {
	capabilities["samples only"] = []backend.Capability{backend.Sampling}
	defer delete(capabilities, "samples only")
	for want, change := range map[string]func(*profiles.Profile){
		"roles.generator.backend": func(p *profiles.Profile) {},
		"roles.reference.model":   func(p *profiles.Profile) { p.Run.Arms = []string{recipe.Base, recipe.BestOfN} },
	} {
		p := small(t)
		p.Roles.Generator.Backend = "samples only"
		change(p)
		_, err := bind(p, recipe.PROPEL{}.Needs(p))
		var refused *profiles.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want a refusal that names %s", err, want)
		}
	}
	if _, err := bind(small(t, "probe.layer=5", "roles.reference.model=micro-b"), recipe.PROPEL{}.Needs(small(t))); err != nil {
		t.Errorf("micro-b has five blocks: %v", err)
	}
	if err := Check(small(t, "probe.layer=5")); err == nil || !strings.Contains(err.Error(), "probe.layer=5: micro has layers 0") {
		t.Errorf("micro has four blocks: error %v", err)
	}
}
