package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"verge/internal/disk"
	"verge/profiles"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/store"
)

// resumable refuses to resume a run, by its folder, that would come out differently: that another version, a machine with other kernels or
// other model files began. It does so before the run is opened for writing, which takes its store to this version's layout.
func resumable(dir string, p *profiles.Profile) error {
	r, err := store.Open(dir)
	if err != nil {
		return &RequestError{Text: err.Error(), cause: err}
	}
	started, ok, err := r.Started()
	if err := errors.Join(err, r.Close()); err != nil || !ok {
		return err
	}
	begun := started.Provenance
	now := event.Provenance{Version: Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if was, is := build(begun), build(now); was != is {
		return diverged("run %s cannot be resumed: %s began it, and this is %s; resume it with that one, or start a new run", dir, was, is)
	}
	if now := engine.Kernels(); !slices.Equal(begun.CPU, now) {
		return diverged("run %s cannot be resumed: it was begun with kernels for %s, and this machine has those for %s, which round otherwise; resume it on such a machine, "+
			"or start a new run", dir, kernels(begun.CPU), kernels(now))
	}
	seen := map[string]bool{}
	for _, m := range begun.Models {
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

// sameServed refuses to resume a run whose servers' models are not those that it began with.
func sameServed(dir string, now event.Provenance) error {
	r, err := store.Open(dir)
	if err != nil {
		return &RequestError{Text: err.Error(), cause: err}
	}
	started, ok, err := r.Started()
	if err := errors.Join(err, r.Close()); err != nil || !ok {
		return err
	}
	for _, was := range started.Provenance.Models {
		at := slices.IndexFunc(now.Models, func(m event.Model) bool { return m.Role == was.Role })
		if at < 0 {
			continue // the events tell
		}
		is := now.Models[at]
		if was.Digest != is.Digest {
			return diverged("run %s cannot be resumed: the %s's model %s has changed: its digest was %s and is now %s; put the earlier one back, or start a new run", dir, was.Role, was.Name, was.Digest, is.Digest)
		}
		if was.Served != nil && is.Served != nil && was.Served.Server != is.Served.Server {
			return diverged("run %s cannot be resumed: it was begun with version %s of the Ollama server, and this is %s, which may reply otherwise; resume it with that version, or start a new run",
				dir, was.Served.Server, is.Served.Server)
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
		return diverged("%s: the file has changed: its sha256 was %s and is now %s; put the earlier one back, or start a new run", key, m.Digest, now)
	}
	return nil
}

func diverged(format string, args ...any) error {
	return &RequestError{cause: ErrDiverged, Text: fmt.Sprintf(format, args...)}
}

// build names the binary that a run was begun by.
func build(p event.Provenance) string {
	return fmt.Sprintf("verge %s (%s, %s/%s)", p.Version, p.Go, p.OS, p.Arch)
}

func kernels(sets []string) string {
	if len(sets) == 0 {
		return "no instruction set of its own"
	}
	return strings.Join(sets, " and ")
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
