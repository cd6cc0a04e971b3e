package walkthrough

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verge/internal/disk"
)

// state is where a walkthrough stands, kept beside the runs so that one that was left, or killed, goes on where it was.
type state struct {
	Page int      `json:"page"`           // from 0
	Run  string   `json:"run"`            // the name of its run's folder; "" before it has one
	Ends []string `json:"ends,omitempty"` // likewise of the runs at both ends of the KL's weight

	path string
}

func load(out, recipe string) (*state, error) {
	s := &state{path: filepath.Join(out, "walkthrough-"+recipe+".json")}
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("where the walkthrough stands: %w; name another folder with --out", err)
	}
	if err := json.Unmarshal(data, s); err != nil || s.Page < 0 {
		return nil, fmt.Errorf("%s: not written by verge: %v; remove it to begin the walkthrough anew", s.path, err)
	}
	return s, nil
}

func (s *state) save() error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	return disk.WriteFile(s.path, append(data, '\n'))
}
