package profiles

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Tagged stands before the tag of a local Ollama server's model whose file the engine reads.
const Tagged = "ollama:"

// File is the path of the file that a role's model is read from; "" of an embedded model, of one that a server names or serves, and of
// no role. An oracle's role is OracleRole's.
func (r Roles) File(role string) string {
	b, ok := r.Bound(role)
	if !ok || !isFile(b.Backend, b.Model) {
		return ""
	}
	return b.Model
}

// Bound is what a role is bound to; false of no role.
func (r Roles) Bound(role string) (Reader, bool) {
	for _, b := range r.bindings() {
		if b.role == role {
			return b.reader(), true
		}
	}
	if role == "reference" {
		return r.Reads(), true
	}
	return Reader{}, false
}

// roleBinding is a binding of a model that is sampled, and its role.
type roleBinding struct {
	role string
	*Binding
}

func (b *Binding) reader() Reader { return Reader{b.Backend, b.Model, b.Served, b.Template} }

// bindings are those of all models that are sampled.
func (r *Roles) bindings() []roleBinding {
	all := []roleBinding{{"generator", &r.Generator}, {"solver", &r.Solver.Binding}, {"judge", &r.Judge}, {"transfer", &r.Transfer}}
	for i := range r.Oracles {
		all = append(all, roleBinding{OracleRole(i), &r.Oracles[i]})
	}
	return all
}

// OracleRole is how a run calls the oracle of a number from 0 on.
func OracleRole(i int) string { return fmt.Sprintf("%s%d", oraclePrefix, i+1) }

const oraclePrefix = "oracle "

// Embedded says that the model is one of this binary's own, whose tasks are calculations with exact answers.
func (b Binding) Embedded() bool {
	return b.Backend == EngineBackend && (b.Model == Micro || b.Model == MicroB)
}

func isFile(backend, model string) bool {
	return backend == EngineBackend && strings.HasSuffix(model, ".gguf") && !strings.HasPrefix(model, Tagged)
}

// absolute makes the paths of model files absolute, so that a run that records its profile finds them from any working directory, and so
// that profiles which mean other files are not taken for one.
func (r *Roles) absolute() error {
	models := map[*string]string{&r.Reference.Model: r.Reference.Backend}
	for _, b := range r.bindings() {
		models[&b.Model] = b.Backend
	}
	for model, backend := range models {
		if !isFile(backend, *model) {
			continue
		}
		path, err := filepath.Abs(*model)
		if err != nil {
			return fmt.Errorf("model %s: %w; write its whole path", *model, err)
		}
		*model = path
	}
	return nil
}
