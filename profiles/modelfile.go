package profiles

import (
	"fmt"
	"path/filepath"
	"strings"
)

// fileBackend is the backend that takes its models from files.
const fileBackend = "engine"

// File is the path of the file that a role's model is read from; "" of an embedded model, of another backend's, and of no role.
func (r Roles) File(role string) string {
	backend, model := "", ""
	switch role {
	case "generator":
		backend, model = r.Generator.Backend, r.Generator.Model
	case "solver":
		backend, model = r.Solver.Backend, r.Solver.Model
	case "transfer":
		backend, model = r.Transfer.Backend, r.Transfer.Model
	case "reference":
		reads := r.Reads()
		backend, model = reads.Backend, reads.Model
	}
	if !isFile(backend, model) {
		return ""
	}
	return model
}

func isFile(backend, model string) bool {
	return backend == fileBackend && strings.HasSuffix(model, ".gguf")
}

// absolute makes the paths of model files absolute, so that a run that records its profile finds them from any working directory, and so
// that profiles which mean other files are not taken for one.
func (r *Roles) absolute() error {
	for _, m := range []struct {
		backend string
		model   *string
	}{
		{r.Generator.Backend, &r.Generator.Model}, {r.Solver.Backend, &r.Solver.Model},
		{r.Reference.Backend, &r.Reference.Model}, {r.Transfer.Backend, &r.Transfer.Model},
	} {
		if !isFile(m.backend, *m.model) {
			continue
		}
		path, err := filepath.Abs(*m.model)
		if err != nil {
			return fmt.Errorf("model %s: %w; write its whole path", *m.model, err)
		}
		*m.model = path
	}
	return nil
}
