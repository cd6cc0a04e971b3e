package recipe

import (
	"context"
	"testing"
)

// The bound holds, and is not far above what a run of mostly valid proposals spends.
func TestCostBoundsWhatARunSpends(t *testing.T) {
	b, fold := bench(t, "run.arms=base,propel,sil-long")
	c := PROPEL{}.Cost(b.Profile)
	if want := (Cost{Measuring: 8 * (512 + 3*64), Training: 8 * 2 * 32, Updated: 2 * 2 * 32}); c != want {
		t.Errorf("Cost = %+v, want %+v", c, want)
	}
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	s := fold.Snapshot()
	spent := s.Corpus.Attempts
	for _, a := range s.Arms {
		spent += a.Eval.Attempts + a.Train.Attempts
	}
	if spent > c.Attempts() || spent < c.Attempts()/4 {
		t.Errorf("%d attempts were spent, the bound is %d", spent, c.Attempts())
	}
}

func TestCostOfArmsWithoutAProbeHasNoCorpus(t *testing.T) {
	b, _ := bench(t, "run.arms=base,validity-only")
	if got, want := (PROPEL{}).Cost(b.Profile), (Cost{Measuring: 8 * 2 * 64, Updated: 64}); got != want {
		t.Errorf("Cost = %+v, want %+v", got, want)
	}
	b, _ = bench(t, "run.arms=sil-equal")
	if got, want := (PROPEL{}).Cost(b.Profile), (Cost{Measuring: 8 * (512 + 64), Training: 8 * 512, Updated: 512}); got != want {
		t.Errorf("Cost = %+v, want %+v", got, want)
	}
}

// Every task that is attempted may have to be answered by every oracle before.
func TestCostCountsTheAnswersOfOracles(t *testing.T) {
	const served, three = "roles.generator.backend=ollama", "roles.oracles=[{model='micro'}, {model='micro'}, {model='micro'}]"
	for want, sets := range map[int][]string{0: nil, 2 * (512 + 2*64): {served}, 3 * 3 * (512 + 2*64): {served, three, "oracle.answers=3"}} {
		b, _ := bench(t, append(sets, "policy.kind=context", "run.arms=base,propel")...)
		c := PROPEL{}.Cost(b.Profile)
		if c.Answers != want || c.Measuring != 8*(512+2*64) {
			t.Errorf("%v: Cost = %+v, want %d answers", sets, c, want)
		}
	}
}
