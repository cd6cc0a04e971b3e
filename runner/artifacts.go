package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"verge/probes"
	"verge/runner/policy"
	"verge/runner/recipe"
)

// artifacts keeps what a run trains in files of the run's folder. A file is whole or not there, and it is there before an event names it.
// A resumed run trains the same again and writes the same bytes.
type artifacts struct{ dir string }

// KeepProbe implements recipe.Artifacts: a file is named by its digest, so that the probes of a run do not meet.
func (a artifacts) KeepProbe(p probes.Probe, reference string) (recipe.Artifact, error) {
	const folder = "probes"
	dir := filepath.Join(a.dir, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return recipe.Artifact{}, fmt.Errorf("keeping a probe: %w", err)
	}
	digest, err := probes.Save(dir, p, reference)
	return recipe.Artifact{File: path.Join(folder, digest+".json"), Digest: digest}, err
}

// KeepPolicy implements recipe.Artifacts.
func (a artifacts) KeepPolicy(arm string, p policy.Policy) (recipe.Artifact, error) {
	file, err := p.Write(a.dir, arm)
	if err != nil {
		return recipe.Artifact{}, fmt.Errorf("keeping the policy of arm %s: %w", arm, err)
	}
	content, err := os.ReadFile(filepath.Join(a.dir, file))
	if err != nil {
		return recipe.Artifact{}, fmt.Errorf("keeping the policy of arm %s: %w", arm, err)
	}
	sum := sha256.Sum256(content)
	return recipe.Artifact{File: filepath.ToSlash(file), Digest: hex.EncodeToString(sum[:])}, nil
}
