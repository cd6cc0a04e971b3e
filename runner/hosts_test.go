package runner

import (
	"strings"
	"testing"
)

// A server that could not sample what is trained is refused before anything is sent to it.
func TestServersThatCannotSampleAPolicyAreRefused(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	if err := Check(small(t, "policy.sampler=ollama")); err != nil {
		t.Errorf("a server that can: %v", err)
	}
	if n := len(s.Asked()); n > 0 {
		t.Errorf("it was asked for %d replies", n)
	}
	s.Version = "0.12.0"
	if err := Check(small(t, "policy.sampler=ollama")); err == nil || !strings.Contains(err.Error(), "policy.sampler=ollama") || !strings.Contains(err.Error(), "0.12.11") {
		t.Errorf("an old server: error %v", err)
	}
	s.Down()
	if err := Check(small(t, "policy.sampler=ollama")); err == nil || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("no server: error %v", err)
	}
}
