package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verge/internal/disk"
	"verge/runner/recipe"
)

// checkpoints keeps what arms have trained in files of the run's folder. Each names the event that it stands at. They only save time:
// without one, an arm's updates are made again from its stored proposals, to the same bits.
type checkpoints struct {
	dir    string // of the run
	stream *stream
}

// standing is what a checkpoint file says of itself, in JSON before the state.
type standing struct {
	Seq   int `json:"seq"` // events of the run up to it
	Step  int `json:"step"`
	Spent int `json:"spent"`
	Idle  int `json:"idle"`
	Bytes int `json:"bytes"` // of the state

	Gap    float64 `json:"gap,omitempty"`
	Untold int     `json:"untold,omitempty"`

	Monitored []recipe.Monitored `json:"monitored,omitempty"`
}

func (c *checkpoints) path(arm string) string { return filepath.Join(c.dir, "checkpoints", arm) }

// Save implements recipe.Checkpoints.
func (c *checkpoints) Save(arm string, at recipe.Checkpoint) error {
	seq := c.stream.position()
	// The events must outlive the process before a file that stands on them does.
	if err := c.stream.writer.Flush(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(standing{
		Seq: seq, Step: at.Step, Spent: at.Spent, Idle: at.Idle, Bytes: len(at.State), Gap: at.Gap, Untold: at.Untold, Monitored: at.Monitored}); err != nil {
		return err
	}
	b.Write(at.State)
	sum := sha256.Sum256(b.Bytes())
	b.Write(sum[:])
	path := c.path(arm)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(path, b.Bytes())
}

// Load implements recipe.Checkpoints. A file that was cut short, or that stands on events which were lost, is as good as none.
func (c *checkpoints) Load(arm string) (*recipe.Checkpoint, error) {
	data, err := disk.ReadFile(c.path(arm))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w; delete it, a run resumes without it", err)
	}
	body := len(data) - sha256.Size
	if body < 0 || sha256.Sum256(data[:body]) != [sha256.Size]byte(data[body:]) {
		return nil, nil
	}
	head, state, _ := bytes.Cut(data[:body], []byte("\n"))
	var at standing
	if err := json.Unmarshal(head, &at); err != nil || at.Bytes != len(state) {
		return nil, fmt.Errorf("checkpoint %s: its head %q does not fit its %d bytes; delete it and resume again", c.path(arm), head, len(state))
	}
	if at.Seq > len(c.stream.stored) || at.Seq < c.stream.position() {
		return nil, nil
	}
	return &recipe.Checkpoint{Step: at.Step, Spent: at.Spent, Idle: at.Idle, Gap: at.Gap, Untold: at.Untold, State: state, Monitored: at.Monitored}, c.stream.skip(at.Seq)
}
