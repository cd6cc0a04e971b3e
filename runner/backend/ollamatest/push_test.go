//go:build ollama

package ollamatest

import (
	"errors"
	"path/filepath"
	"testing"

	"verge/runner/backend/local"
	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
)

// TestPushedAdapters pushes the rounds of a training one after another, by the base's file and by its tag.
func TestPushedAdapters(t *testing.T) {
	s := newServer(t)
	m, path := microCopy(t, true)
	file := s.serve(t, "verge-push-base", path)
	tagged, err := s.TagBase(t.Context(), "verge-push-base")
	if err != nil {
		t.Fatal(err)
	}
	if tagged.Digest != m.Digest {
		t.Fatalf("the server's base has digest %s, its file %s", tagged.Digest, m.Digest)
	}
	first, err := engine.NewAdapter(m, 4, 8, []string{"attn_q"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	second := trainedAdapter(t, m)
	const tag = "verge-push"
	p := microPrompts()[1]
	ids, err := local.Encode(m.Tokenizer, p)
	if err != nil {
		t.Fatal(err)
	}
	for round, pushed := range []struct {
		base    push.Base
		adapter *engine.Adapter
	}{{file, first}, {tagged, second}, {file, second}, {tagged, first}} {
		path := filepath.Join(t.TempDir(), "adapter.gguf")
		if err := pushed.adapter.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		if err := s.Adapter(t.Context(), tag, pushed.base, path); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			s.removeAfter(t, tag)
		}
		view, err := m.View(pushed.adapter)
		if err != nil {
			t.Fatal(err)
		}
		var c comparison
		c.follow(t, view, newVocabulary(m.Tokenizer), ids, s.greedy(t, tag, p.String(), 8))
		if c.worst() > limit {
			t.Errorf("round %d: the server answers with another adapter than the one just pushed: %.3f nats apart", round, c.worst())
		}
	}
	if _, err := s.TagBase(t.Context(), tag); !errors.Is(err, push.ErrTag) {
		t.Errorf("a model with an adapter as a base: error %v", err)
	}
}

// TestNothingIsDownloaded asks for bases that the server lacks: made from such a tag, it would fetch the model.
func TestNothingIsDownloaded(t *testing.T) {
	s := newServer(t)
	if _, err := s.TagBase(t.Context(), "verge-no-such-model"); !errors.Is(err, push.ErrTag) {
		t.Errorf("a missing base: error %v", err)
	}
}

// TestOtherModelsAreLeftAlone pushes an adapter to the tag of a model that no push made.
func TestOtherModelsAreLeftAlone(t *testing.T) {
	s := newServer(t)
	m, path := microCopy(t, true)
	base := s.serve(t, "verge-taken", path)
	file := filepath.Join(t.TempDir(), "adapter.gguf")
	if err := trainedAdapter(t, m).WriteFile(file); err != nil {
		t.Fatal(err)
	}
	if err := s.Adapter(t.Context(), "verge-taken", base, file); !errors.Is(err, push.ErrTag) {
		t.Errorf("error %v, want one that says that the tag is taken", err)
	}
	if _, err := s.TagBase(t.Context(), "verge-taken"); err != nil {
		t.Errorf("the model that was there: %v", err)
	}
}
