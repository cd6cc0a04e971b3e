package runner

import (
	"testing"

	"verge/runner/lab"
)

// A server is told to free its memory when a run of it ends, and not by a look at a profile: another run may be going on there.
func TestModelsAreUnloadedByARunAlone(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	p := servedRun(t, s, "ollama.unload=true", "run.arms=base", "policy.exemplars=0", "evaluation.proposals=2")
	if err := Check(p); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Loads()); n != 0 {
		t.Errorf("a check sent %d calls to load or unload", n)
	}
	if _, err := Run(t.Context(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}}); err != nil {
		t.Fatal(err)
	}
	if loads := s.Loads(); len(loads) != 1 || string(loads[0].KeepAlive) != `"0s"` {
		t.Errorf("a run sent %+v to load or unload", loads)
	}
}
