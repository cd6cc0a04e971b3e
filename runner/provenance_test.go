package runner

import "testing"

// A model that was told how hard to think replies otherwise than one that was told to think.
func TestProvenanceTellsTheLevelOfThinking(t *testing.T) {
	s := chatting(t, map[string]string{"thinker:1b": "completion thinking"})
	for level, want := range map[string]string{"false": "", "true": "", "low": "low"} {
		p := servedRun(t, s, "roles.generator.model=thinker:1b", "roles.solver.model=thinker:1b", "roles.judge.model=thinker:1b", "roles.generator.think="+level)
		r, err := resolve(p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bind(t.Context(), p, r)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.provenance("run", p).Models[0].Served; got.Think != (level != "false") || got.ThinkLevel != want {
			t.Errorf("think = %s: %+v", level, got)
		}
		m.servers.close()
	}
}
