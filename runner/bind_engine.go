package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verge/domains"
	"verge/domains/prompt"
	"verge/internal/disk"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/engine"
	"verge/runner/engine/chat"
)

// fileKey is what makes two roles' models in this process one.
type fileKey struct{ model, host, template string }

// openHere opens a model in this process. One whose vocabulary has the control tokens of the domain is spoken to in them, any other in chats.
func (b *binder) openHere(role, keys string, as profiles.Reader, _ profiles.Think) (candidate, error) {
	c := candidate{name: as.Model, can: []backend.Capability{backend.Sampling, backend.Logprobs, backend.Activations, backend.Training}, speaks: domains.Compact}
	at := fileKey{as.Model, "", as.Template}
	if strings.HasPrefix(as.Model, profiles.Tagged) {
		at.host = as.Host
	}
	m := b.loaded[at]
	if m == nil {
		base, err := b.load(as)
		if err != nil {
			return c, b.refuse(keys, as, err)
		}
		if m, err = b.speaking(base, keys, as); err != nil {
			return c, err
		}
		b.loaded[at] = m
	}
	if !b.controls(m.Base()) {
		c.speaks = domains.Instruct
	}
	c.local = m
	return c, nil
}

// load reads a model: an embedded one, a file, or the file behind a server's tag.
func (b *binder) load(as profiles.Reader) (*engine.Model, error) {
	switch as.Model {
	case profiles.Micro:
		return engine.Micro()
	case profiles.MicroB:
		return engine.MicroB()
	}
	if tag, ok := strings.CutPrefix(as.Model, profiles.Tagged); ok {
		return b.loadTagged(tag, as.Host)
	}
	m, err := engine.OpenModel(as.Model)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file; name a .gguf file, or \"micro\" or \"micro-b\" for an embedded model")
	}
	return m, err
}

// speaking makes a model that can be spoken to: by control tokens, or by the template of its chats.
func (b *binder) speaking(base *engine.Model, keys string, as profiles.Reader) (*local.Model, error) {
	shown := as.Model
	if embedded := shown == profiles.Micro || shown == profiles.MicroB; embedded && base.Version != "" {
		shown += "-" + base.Version
	}
	if b.controls(base) {
		return local.New(base, shown)
	}
	m, err := local.NewChat(base, shown, as.Template)
	if err != nil && as.Template != "" {
		return nil, b.p.Refuse(key(keys, "template"), err.Error(), "the template that the model was trained on, or none for its file's own")
	}
	if err != nil {
		return nil, b.p.Refuse(key(keys, "model"), fmt.Sprintf("its vocabulary lacks the control tokens of domain %s, and it cannot be spoken to in chats either: %v", b.p.Run.Domain, err),
			"a model that verge pretrain made for this domain, or one that follows instructions")
	}
	return m, nil
}

// controls says whether a model's vocabulary has the control tokens of the domain.
func (b *binder) controls(base *engine.Model) bool {
	return !slices.ContainsFunc(controlsOf(b.p.Run.Domain), func(name string) bool {
		_, known := base.Tokenizer.Control(name)
		return !known
	})
}

// loadTagged reads the file behind a model of a server on this machine.
func (b *binder) loadTagged(tag, host string) (*engine.Model, error) {
	c, err := b.servers.client(host)
	if err != nil {
		return nil, err
	}
	info, err := c.Info(b.ctx, tag)
	if err != nil {
		return nil, err
	}
	if info.Adapted {
		return nil, fmt.Errorf("%s has an adapter on its weights, and the engine would read it without; name the model that it was made from", tag)
	}
	path, err := findBlob(info, c.URL().String())
	if err != nil {
		return nil, err
	}
	m, err := engine.OpenModel(path)
	if err != nil {
		return nil, err
	}
	if want := strings.TrimPrefix(info.Weights, "sha256:"); m.Digest != want {
		return nil, fmt.Errorf("the file %s has the sha256 %s, and its name says %s: it was damaged; fetch it again with: ollama rm %s && ollama pull %s", path, m.Digest, want, tag, tag)
	}
	return m, nil
}

// findBlob finds the file of a model's weights on this machine: where the server says that it is, or else where servers keep theirs.
func findBlob(info ollama.Info, address string) (string, error) {
	digest, ok := strings.CutPrefix(info.Weights, "sha256:")
	if !ok {
		return "", fmt.Errorf("the server at %s does not tell the file behind %s; name the .gguf file itself", address, info.Name)
	}
	name := "sha256-" + digest
	paths := []string{info.File}
	if folder := os.Getenv("OLLAMA_MODELS"); folder != "" {
		paths = append(paths, filepath.Join(folder, "blobs", name))
	}
	if home, err := os.UserHomeDir(); err == nil {
		paths = append(paths, filepath.Join(home, ".ollama", "models", "blobs", name))
	}
	paths = append(paths, filepath.Join("/usr/share/ollama/.ollama/models/blobs", name))
	var problem error
	for _, path := range paths {
		f, err := disk.Open(path)
		if err == nil {
			return path, f.Close()
		}
		if problem == nil || !errors.Is(err, fs.ErrNotExist) {
			problem = err
		}
	}
	if errors.Is(problem, fs.ErrPermission) {
		return "", fmt.Errorf("the file behind %s cannot be read (%v); let yourself read it, such as by joining the server's group, or copy it and name the copy", info.Name, problem)
	}
	return "", fmt.Errorf("the file behind %s is not on this machine (%v); the engine reads the models of a server here alone: name its OLLAMA_MODELS, or the .gguf file itself", info.Name, problem)
}

// demonstration is a prompt as domains write them: told what to do, shown a reply, and asked.
var demonstration = prompt.Prompt{prompt.Say(prompt.System, "Add."), prompt.Say(prompt.User, "1+1"), prompt.Say(prompt.Assistant, "It is 2."), prompt.Say(prompt.User, "2+2")}

// fits refuses a model in this process that cannot be sampled, or trained, as the profile asks.
func (b *binder) fits(keys string, as profiles.Binding, m *local.Model, needs []backend.Capability) error {
	base := m.Base()
	// A template that takes no such prompt would end the run with its first proposal; one that leaves some of it out would lead it astray.
	problem := ""
	if spelled, err := m.Spell(demonstration); err != nil {
		problem = err.Error()
	} else if i := slices.IndexFunc(demonstration, func(p prompt.Part) bool { return !strings.Contains(spelled, p.Text) }); i >= 0 {
		problem = fmt.Sprintf("the chat template of %s leaves out what the %s says", as.Model, demonstration[i].Role)
	}
	if problem != "" {
		return b.p.Refuse(key(keys, "template"), problem, "one of "+strings.Join(chat.Names(), ", ")+", if the model was trained on it, or another model")
	}
	if as.MaxTokens >= base.Context {
		return b.p.Refuse(key(keys, "max_tokens"), fmt.Sprintf("%s has a context of %d tokens for prompt and reply", as.Model, base.Context), "less than that")
	}
	if slices.Contains(needs, backend.Training) {
		if _, err := engine.NewAdapter(base, b.p.Policy.Rank, float32(b.p.Policy.Alpha), b.p.Policy.Targets, 0); err != nil {
			return b.p.Refuse("policy.rank", err.Error(), "a smaller rank, or other policy.targets")
		}
	}
	return nil
}
