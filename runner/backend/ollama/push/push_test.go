package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// registry is the part of a server that pushes touch: blobs by digest and models by tag. It is what the tests with the build tag ollama
// find a real server to be.
type registry struct {
	blobs   map[string]bool
	models  map[string][]string // digest of the model, then of its adapters
	uploads int
	deaf    bool // models asked for are not made, and success is reported
	forgets int  // how often it has lost all files when it is asked for a model
}

func (r *registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	digest := strings.TrimPrefix(q.URL.Path, "/api/blobs/sha256:")
	switch {
	case q.Method == http.MethodHead && r.blobs[digest]:
	case q.Method == http.MethodHead:
		w.WriteHeader(http.StatusNotFound)
	case digest != q.URL.Path:
		r.blobs[digest] = true
		r.uploads++
		w.WriteHeader(http.StatusCreated)
	case q.URL.Path == "/api/show":
		var body struct{ Model string }
		json.NewDecoder(q.Body).Decode(&body)
		parts, ok := r.models[body.Model]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"error":"model '%s' not found"}`, body.Model)
			return
		}
		modelfile := "# FROM " + body.Model + "\n\nFROM /models/blobs/sha256-" + parts[0] + "\n"
		for _, adapter := range parts[1:] {
			modelfile += "ADAPTER /models/blobs/sha256-" + adapter + "\n"
		}
		json.NewEncoder(w).Encode(map[string]string{"modelfile": modelfile + "TEMPLATE {{ .Prompt }}\n"})
	case q.URL.Path == "/api/create":
		var body struct {
			Model, From     string
			Files, Adapters map[string]string
		}
		json.NewDecoder(q.Body).Decode(&body)
		if r.forgets > 0 {
			r.forgets--
			clear(r.blobs)
			fmt.Fprintln(w, `{"error":"open /models/blobs/sha256-12: no such file or directory"}`)
			return
		}
		parts := r.models[body.From]
		for _, files := range []map[string]string{body.Files, body.Adapters} {
			for _, digest := range files {
				parts = append(parts, strings.TrimPrefix(digest, "sha256:"))
			}
		}
		if !r.deaf {
			r.models[body.Model] = parts
		}
		fmt.Fprintln(w, `{"status":"success"}`)
	}
}

func start(t *testing.T, r *registry) *Server {
	t.Helper()
	r.blobs = map[string]bool{}
	if r.models == nil {
		r.models = map[string][]string{}
	}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return New(u, s.Client())
}

// adapterFile is a file to send; servers look into it, pushing does not.
func adapterFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "adapter.gguf")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnAdapterIsPushedAgainAndAgainWithOneUploadOfTheBase(t *testing.T) {
	r := &registry{}
	s := start(t, r)
	base := BytesBase("micro", []byte("weights"))
	for _, content := range []string{"first", "second"} {
		file := adapterFile(t, content)
		if err := s.Adapter(t.Context(), "mine", base, file); err != nil {
			t.Fatal(err)
		}
		a, err := FileBase(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.models["mine"]; len(got) != 2 || got[0] != base.Digest || got[1] != a.Digest {
			t.Errorf("the model is made of %v, want %s and %s", got, base.Digest, a.Digest)
		}
	}
	if r.uploads != 3 {
		t.Errorf("%d uploads, want the base and two adapters", r.uploads)
	}
}

func TestATagOfAnotherModelIsLeftAlone(t *testing.T) {
	base, other := BytesBase("micro", []byte("weights")), strings.Repeat("ab", 32)
	for name, there := range map[string][]string{
		"no adapter": {base.Digest}, "another base": {other, other},
	} {
		r := &registry{models: map[string][]string{"taken": there}}
		s := start(t, r)
		err := s.Adapter(t.Context(), "taken", base, adapterFile(t, "adapter"))
		if !errors.Is(err, ErrTag) || !strings.Contains(err.Error(), "ollama rm taken") || len(r.models["taken"]) != len(there) || r.uploads != 0 {
			t.Errorf("%s: error %v, the model is now %v after %d uploads", name, err, r.models["taken"], r.uploads)
		}
	}
}

func TestABaseOnTheServer(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	r := &registry{models: map[string][]string{"llama": {digest}, "adapted": {digest, digest}}}
	s := start(t, r)
	base, err := s.TagBase(t.Context(), "llama")
	if err != nil || base.Digest != digest {
		t.Fatalf("%v, %v", base, err)
	}
	if err := s.Adapter(t.Context(), "mine", base, adapterFile(t, "adapter")); err != nil || r.uploads != 1 || r.models["mine"][0] != digest {
		t.Errorf("error %v, %d uploads, the model is %v", err, r.uploads, r.models["mine"])
	}
	for tag, want := range map[string]string{"missing": "ollama pull missing", "adapted": "an adapter already", "not a tag": "no name of a model"} {
		if _, err := s.TagBase(t.Context(), tag); !errors.Is(err, ErrTag) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", tag, err, want)
		}
	}
}

// A file that no model has yet goes with another model that is removed: it is sent again, but not for ever.
func TestAFileThatGetsLostIsSentAgain(t *testing.T) {
	for forgets, ok := range map[int]bool{1: true, 2: false} {
		r := &registry{forgets: forgets}
		s := start(t, r)
		err := s.Put(t.Context(), "mine", BytesBase("micro", []byte("weights")), BytesBase("adapter", []byte("adapter")))
		if (err == nil) != ok || r.uploads != 4 || ok != (len(r.models["mine"]) == 2) {
			t.Errorf("lost %d times: error %v after %d uploads", forgets, err, r.uploads)
		}
	}
}

// A server that is asked to make a model from a tag that it lacks downloads it.
func TestABaseThatIsGoneFromTheServerIsNotAskedFor(t *testing.T) {
	digest, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	for name, now := range map[string][]string{"removed": nil, "replaced": {other}} {
		r := &registry{models: map[string][]string{"llama": {digest}}}
		s := start(t, r)
		base, err := s.TagBase(t.Context(), "llama")
		if err != nil {
			t.Fatal(err)
		}
		if r.models["llama"] = now; now == nil {
			delete(r.models, "llama")
		}
		err = s.Put(t.Context(), "mine", base, None)
		if _, made := r.models["mine"]; !errors.Is(err, ErrTag) || !strings.Contains(err.Error(), digest) || made {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestAModelThatWasNotMadeIsAnError(t *testing.T) {
	s := start(t, &registry{deaf: true})
	err := s.Adapter(t.Context(), "mine", BytesBase("micro", []byte("weights")), adapterFile(t, "adapter"))
	if err == nil || !strings.Contains(err.Error(), "did not make model mine") {
		t.Errorf("error %v", err)
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	closed := httptest.NewServer(nil)
	u, err := url.Parse(closed.URL)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	s := New(u, http.DefaultClient)
	err = s.Adapter(t.Context(), "mine", BytesBase("micro", []byte("weights")), adapterFile(t, "adapter"))
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, "mine", BytesBase("micro", []byte("weights")), None); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
