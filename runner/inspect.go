package runner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"verge/internal/disk"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/doctor"
	"verge/runner/lab"
)

// inspected is the file in a run's folder with what its servers and models could do when it began.
const inspected = "doctor.json"

// inspect examines the servers' models, which loads each, and keeps what it finds, once for a run. One whose embeddings a probe is to read has to
// give them.
func (m models) inspect(ctx context.Context, dir string, meter *lab.Meter) error {
	path := filepath.Join(dir, inspected)
	if _, err := os.Stat(path); len(m.servers.models) == 0 || err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if r, ok := m.reference.(*ollama.Reader); ok {
		if err := r.Try(ctx); err != nil {
			return fmt.Errorf("the reference's embeddings: %w", err)
		}
	}
	meter.Begin("servers", "examination", lab.Steps, len(m.servers.clients))
	var reports []doctor.Report
	for _, address := range slices.Sorted(maps.Keys(m.servers.clients)) {
		report, err := doctor.Inspect(ctx, m.servers.clients[address], m.servers.at(address))
		if err != nil {
			return err
		}
		meter.Step()
		reports = append(reports, report)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(reports); err != nil {
		return err
	}
	return disk.WriteFile(path, b.Bytes())
}

// at lists the models of a server, by name.
func (s *servers) at(address string) []*ollama.Model {
	var all []*ollama.Model
	for key, m := range s.models {
		if key.address == address && !slices.ContainsFunc(all, func(o *ollama.Model) bool { return o.Identity() == m.Identity() }) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b *ollama.Model) int { return cmp.Compare(a.Identity().Name, b.Identity().Name) })
	return all
}
