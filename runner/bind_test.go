package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/fs/ggml"

	"verge/domains"
	"verge/profiles"
	"verge/runner/backend/ollama/hostile"
	"verge/runner/engine"
	"verge/runner/engine/enginetest"
	"verge/runner/event"
	"verge/runner/lab"
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

func TestLayersThatAReferenceLacksAreRefused(t *testing.T) {
	if err := Check(small(t, "probe.layer=5", "roles.reference.model=micro-b")); err != nil {
		t.Errorf("micro-b has five blocks: %v", err)
	}
	if err := Check(small(t, "probe.layer=5")); err == nil || !strings.Contains(err.Error(), "probe.layer=5: micro has layers 0") {
		t.Errorf("micro has four blocks: error %v", err)
	}
}

// chatting is a server on a port with the models of these capabilities, all of which read chats.
func chatting(t *testing.T, models map[string]string) *hostile.Server {
	t.Helper()
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Down)
	t.Setenv("OLLAMA_HOST", s.URL())
	s.Models, s.Running, s.Show = nil, nil, map[string]api.ShowResponse{}
	for name, capabilities := range models {
		shown := hostile.Shown(strings.Fields(capabilities)...)
		shown.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
		s.Show[name] = shown
		s.Models = append(s.Models, api.ListModelResponse{Name: name, Model: name, Digest: strings.Repeat(fmt.Sprintf("%x", len(s.Models)+1), 64)})
		s.Running = append(s.Running, api.ProcessModelResponse{Name: name, Model: name, Size: 1000, SizeVRAM: 250, ContextLength: 2048})
	}
	return s
}

// served binds all roles to one model of a server.
var served = []string{
	"roles.generator.backend=ollama", "roles.generator.model=small:1b", "roles.solver.backend=ollama", "roles.solver.model=small:1b",
	"roles.judge.backend=ollama", "roles.judge.model=small:1b", "policy.kind=context", "probe.layer=auto", "probe.pooling=auto",
}

// What a binding lacks is refused before anything runs, with the key, the role and what to do.
func TestBindingsThatCannotAreRefused(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion", "embedder:latest": "embedding", "thinker:1b": "completion thinking"})
	plain := hostile.Shown("completion")
	plain.ModelInfo["tokenizer.ggml.tokens"] = []string{"<s>", "a"}
	s.Show["plain:1b"] = plain
	s.Models = append(s.Models, api.ListModelResponse{Name: "plain:1b", Model: "plain:1b", Digest: "9"}, api.ListModelResponse{Name: "far:1b", Model: "far:1b", Digest: "8", RemoteHost: "https://ollama.com"})
	s.Show["far:1b"] = plain
	for _, c := range []struct {
		name string
		sets []string
		want []string
	}{
		{"it can", nil, nil},
		{"a weight policy of a frozen generator", []string{"policy.kind=lora"},
			[]string{"roles.generator.backend=ollama", "small:1b on backend \"ollama\" cannot be trained", "of its generator", `policy.kind = "context"`, `model = "ollama:small:1b"`}},
		{"a context policy of control tokens", []string{"roles.generator.backend=engine", "roles.generator.model=micro"}, []string{"policy.kind=context", `policy.kind = "lora"`}},
		{"a solver that only embeds", []string{"roles.solver.model=embedder"}, []string{"roles.solver.backend=ollama", "embedder on backend \"ollama\" cannot reply"}},
		{"a solver that is not there", []string{"roles.solver.model=none:7b"}, []string{`roles.solver.model = "none:7b"`, "ollama pull none:7b", "--pull"}},
		{"a judge in another dialect", []string{"roles.judge.backend=engine", "roles.judge.model=micro"}, []string{"roles.judge.model=micro", "the judge", "control tokens", "follows instructions", "ollama:TAG"}},
		{"an oracle in another dialect", []string{"roles.oracles=[{model='micro'}]"}, []string{"roles.oracles", "oracle 1"}},
		{"a reference in another dialect", []string{"roles.reference.model=micro"}, []string{"roles.reference.model=micro", "the reference", "follows instructions"}},
		{"a model without a chat template", []string{"roles.solver.model=plain:1b"}, []string{"roles.solver.model=plain:1b", "no template for chats", "control tokens"}},
		{"a cloud model", []string{"roles.solver.model=far:1b"}, []string{`roles.solver.model = "far:1b"`, "https://ollama.com", "cloud"}},
		{"a model that cannot think", []string{"roles.solver.think=true"}, []string{"cannot think"}},
		{"a context that the model lacks", []string{"roles.generator.context=8192", "roles.solver.context=8192", "roles.judge.context=8192"}, []string{"has a context of 4096 tokens, not 8192"}},
		{"two contexts of one model", []string{"roles.solver.context=1024"}, []string{"roles.solver.context=1024", "contexts of 2048 and of 1024 tokens"}},
		{"two contexts of one model by two names of its server", []string{"roles.solver.context=1024", "roles.solver.host=" + os.Getenv("OLLAMA_HOST")},
			[]string{`roles.solver.model = "small:1b"`, "contexts of 2048 and of 1024 tokens"}},
		{"a layer of an embedding", []string{"probe.layer=2"}, []string{"probe.layer=2", "no layers", `probe.layer = "auto"`}},
		{"a pooling of an embedding", []string{"probe.pooling=mean"}, []string{"probe.pooling=mean", "one vector"}},
		{"attention over an embedding", []string{"probe.kind=attention"}, []string{"probe.kind=attention", "no tokens"}},
		{"a file that is elsewhere", []string{"roles.reference.backend=engine", "roles.reference.model=ollama:small:1b"},
			[]string{`roles.reference.model = "ollama:small:1b"`, "is not on this machine", "OLLAMA_MODELS"}},
		{"an address that is none", []string{"roles.solver.host=ftp://x"}, []string{`roles.solver.model = "small:1b"`, `"ftp://x"`, "HOST:PORT"}},
	} {
		s.Always(hostile.Embeddings([]float32{1, 0, 0, 0}))
		p, err := profiles.Load("quick", slices.Concat(served, c.sets))
		if err == nil {
			err = Check(p)
		}
		var request *RequestError
		var refused *profiles.Error
		switch {
		case c.want == nil && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != nil && !errors.As(err, &request) && !errors.As(err, &refused):
			t.Errorf("%s: error %v, want a refusal", c.name, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the refusal lacks %q: %v", c.name, want, err)
			}
		}
	}
	s.Version = "0.30.0"
	p, err := profiles.Load("quick", served)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(p); err == nil || !strings.Contains(err.Error(), "cannot give embeddings") || !strings.Contains(err.Error(), `backend = "engine" and model = "ollama:small:1b"`) {
		t.Errorf("a server that embeds with no decoder: error %v", err)
	}
	s.Down()
	if err := Check(p); err == nil || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("no server: error %v", err)
	}
}

// A model of verge pretrain that was pushed to a server is spoken to as it is in this process.
func TestAServersModelWithTheControlTokensIsCompact(t *testing.T) {
	s := chatting(t, nil)
	shown := hostile.Shown("completion")
	var tokens []string
	for _, name := range controlsOf("math") {
		tokens = append(tokens, "<|"+name+"|>")
	}
	shown.ModelInfo["tokenizer.ggml.tokens"] = tokens
	s.Show["micro:latest"] = shown
	s.Models = []api.ListModelResponse{{Name: "micro:latest", Model: "micro:latest", Digest: "1"}}
	p := small(t, "roles.solver.backend=ollama", "roles.solver.model=micro")
	r, err := resolve(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind(t.Context(), p, r)
	if err != nil {
		t.Fatal(err)
	}
	defer m.servers.close()
	if m.dialect != domains.Compact || len(m.oracles) > 0 {
		t.Errorf("dialect %s, %d oracles", m.dialect, len(m.oracles))
	}
	from := m.provenance("run", p)
	if from.Deterministic || from.Models[0].Served != nil || from.Models[1].Served == nil || from.Models[1].Served.Server != "0.17.4" || from.Models[1].Served.Context != 2048 {
		t.Errorf("provenance %+v", from)
	}
}

// The engine reads the file behind a tag of a server on this machine: that one, whole and by itself.
func TestTheFileBehindATag(t *testing.T) {
	s := chatting(t, nil)
	models := t.TempDir()
	t.Setenv("OLLAMA_MODELS", models)
	blobs := filepath.Join(models, "blobs")
	if err := os.Mkdir(blobs, 0o755); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(engine.MicroFile())
	digest := hex.EncodeToString(sum[:])
	file := filepath.Join(blobs, "sha256-"+digest)
	shown := hostile.Shown("completion")
	shown.Modelfile = "FROM /var/lib/elsewhere/sha256-" + digest + "\n"
	s.Show["micro:latest"] = shown
	s.Models = []api.ListModelResponse{{Name: "micro:latest", Model: "micro:latest", Digest: "1"}}
	p := small(t, "roles.reference.model=ollama:micro")
	says := func(why, want string) {
		t.Helper()
		var refused *RequestError
		if err := Check(p); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `roles.reference.model = "ollama:micro"`) {
			t.Errorf("%s: error %v, want one that says %q", why, err, want)
		}
	}
	says("no file", "is not on this machine")
	if err := os.WriteFile(file, engine.MicroBFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	says("a damaged file", "it was damaged; fetch it again with: ollama rm micro && ollama pull micro")
	if err := os.WriteFile(file, engine.MicroFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := resolve(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind(t.Context(), p, r)
	if err != nil {
		t.Fatal(err)
	}
	m.servers.close()
	if id := m.reference.Identity(); id.Digest != digest || id.Name != "ollama:micro" || !m.provenance("run", p).Deterministic {
		t.Errorf("the reference is %+v", id)
	}
	shown.Modelfile += "ADAPTER /var/lib/elsewhere/sha256-" + digest + "\n"
	s.Show["micro:latest"] = shown
	says("an adapter", "has an adapter on its weights")
	shown.Modelfile = "FROM other\n"
	s.Show["micro:latest"] = shown
	says("no file named", "does not tell the file")
}

// A model of chats in this process is spoken to by its template, and trained.
func TestAModelOfChatsInThisProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats.gguf")
	f := enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Pairs}
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	sets := []string{"roles.generator.model=" + file, "roles.solver.model=" + file, "roles.judge.model=" + file, "roles.generator.max_tokens=4", "roles.solver.max_tokens=4",
		"run.arms=validity-only", "policy.steps=1", "policy.proposals=4", "policy.group=2", "policy.warmup_steps=0", "evaluation.proposals=2"}
	var dir string
	if _, err := Run(t.Context(), Options{Profile: small(t, sets...), Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }}); err != nil {
		t.Fatal(err)
	}
	from := storedEvents(t, dir)[0].(event.RunStarted).Provenance
	if len(from.Models) != 3 || from.Models[2].Role != "judge" || !from.Deterministic {
		t.Errorf("provenance %+v", from)
	}
}
