package sweep

import (
	"errors"
	"fmt"

	"verge/runner/report"
	"verge/runner/store"
)

// Result is what came of the sweep so far.
func (s *Sweep) Result() (report.Sweep, error) {
	r := report.Sweep{Name: s.Name, Profile: s.Name, Axes: s.Axes, Seeds: s.Seeds, Dir: s.Dir, Notes: s.Notes}
	for _, c := range s.Cells {
		cell := report.Cell{Hash: c.Hash, Settings: c.Settings, Seed: c.Seed, Run: c.Run, State: c.State, Error: c.Err, Arms: []report.Arm{}}
		if c.State == store.Done {
			summary, err := c.read()
			if err != nil {
				return r, err
			}
			cell.Arms = summary.Arms
		}
		r.Cells = append(r.Cells, cell)
	}
	return r, r.Compare()
}

func (c *Cell) read() (*report.Summary, error) {
	if c.summary != nil {
		return c.summary, nil
	}
	reader, err := store.Open(c.Dir)
	if err != nil {
		return nil, err
	}
	summary, err := report.Of(reader)
	return &summary, errors.Join(err, reader.Close())
}

// Failed is the error of a sweep of which cells are not done, nil when all are.
func (s *Sweep) Failed() error {
	open := 0
	for _, c := range s.Cells {
		if c.State != store.Done {
			open++
		}
	}
	if open == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d cells of sweep %s are not done; the same command runs them again", open, len(s.Cells), s.Name)
}
