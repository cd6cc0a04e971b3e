package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"verge/internal/disk"
	"verge/profiles"
	"verge/runner/event"
	"verge/runner/store"
)

// sameModels refuses to resume a run, by its folder, whose model files are not those that it was started with. A new run has no folder yet.
func sameModels(dir string, p *profiles.Profile) error {
	if dir == "" {
		return nil
	}
	r, err := store.Open(dir)
	if err != nil {
		return &RequestError{Text: err.Error(), cause: err}
	}
	started, _, err := r.Started()
	if err := errors.Join(err, r.Close()); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, m := range started.Provenance.Models {
		path := p.Roles.File(m.Role)
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if err := sameModel(dir, path, m); err != nil {
			return err
		}
	}
	return nil
}

func sameModel(dir, path string, m event.Model) error {
	now, err := digestOf(path)
	key := fmt.Sprintf("run %s cannot be resumed: roles.%s.model = %q", dir, m.Role, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("%s: the file, of sha256 %s, is not there any more; put it back, or start a new run", key, m.Digest)
	case err != nil:
		return refuse("%s: %v; make it readable as it was, or start a new run", key, err)
	case now != m.Digest:
		return &RequestError{cause: ErrDiverged, Text: fmt.Sprintf("%s: the file has changed: its sha256 was %s and is now %s; put the earlier one back, or start a new run",
			key, m.Digest, now)}
	}
	return nil
}

// digestOf is a file's sha256 in hexadecimal, which is a model's digest.
func digestOf(path string) (string, error) {
	f, err := disk.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
