package runner

import (
	"slices"
	"testing"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
	"verge/runner/recipe"
)

// What a profile says of thinking is what the server is sent.
func TestARoleThinksAsMuchAsItsProfileSays(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion", "thinker:1b": "completion thinking"})
	for said, want := range map[string]string{"false": "false", "true": "true", "low": `"low"`} {
		p, err := profiles.Load("quick", slices.Concat(served, []string{"roles.solver.model=thinker:1b", "roles.reference.model=small:1b", "roles.reference.backend=ollama", "roles.solver.think=" + said}))
		if err != nil {
			t.Fatal(err)
		}
		s.Always(hostile.Embeddings([]float32{1, 0, 0, 0}))
		m, err := bind(t.Context(), p, recipe.All["propel"])
		if err != nil {
			t.Fatal(err)
		}
		s.Always(hostile.Answer("7"))
		_, err = m.solver.Sample(t.Context(), []backend.Request{{Prompt: demonstration, Params: backend.Params{TopP: 1, MaxTokens: 8}, Seeds: []uint64{1}}}, nil)
		m.servers.close()
		if err != nil {
			t.Fatal(err)
		}
		asked := s.Asked()
		if got := string(asked[len(asked)-1].Think); got != want {
			t.Errorf("think = %s: the server is sent %s", said, got)
		}
	}
}
