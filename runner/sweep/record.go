package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"verge/internal/disk"
	"verge/runner/report"
	"verge/runner/store"
)

// record is the file that says what a sweep's folder holds: the grid as it was asked for last, and when it was first.
type record struct {
	Sweep   string      `json:"sweep"`
	Created time.Time   `json:"created"`
	Axes    report.Axes `json:"axes"`
	Seeds   []uint64    `json:"seeds"`
	Grid    string      `json:"grid"` // the profile and the grid, as TOML, for Open
}

// Keep makes the sweep's folder with its record, which Open reads.
func (s *Sweep) Keep() error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return fmt.Errorf("creating the sweep's folder: %w; name another with --out", err)
	}
	return s.write()
}

// write writes the record whole or not at all, and keeps the time of an earlier one.
func (s *Sweep) write() error {
	path := filepath.Join(s.Dir, store.SweepFile)
	r := record{Sweep: s.Name, Created: time.Now().UTC().Truncate(time.Second), Axes: s.Axes, Seeds: s.Seeds, Grid: s.grid}
	text, err := disk.ReadFile(path)
	switch {
	case err == nil:
		var earlier struct{ Created time.Time }
		if err := json.Unmarshal(text, &earlier); err != nil {
			return fmt.Errorf("%s: not written by verge: %w; remove it, the runs beside it are kept", path, err)
		}
		r.Created = earlier.Created
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if text, err = json.MarshalIndent(r, "", "\t"); err != nil {
		return err
	}
	return disk.WriteFile(path, append(text, '\n'))
}
