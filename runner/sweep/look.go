package sweep

import (
	"errors"
	"fmt"
	"slices"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/report"
	"verge/runner/store"
)

// Look finds what the folder has of each cell: a run that is done before any other, else one that is being written, else the newest.
// What cannot be read is among problems, and is no cell's.
func (s *Sweep) Look() (problems []error, err error) {
	runs, problems, err := store.List(s.Dir)
	if err != nil {
		return nil, &runner.RequestError{Text: err.Error()}
	}
	found := map[string][]store.RunInfo{}
	var with made
	for _, r := range runs {
		started, ok, err := opening(r.Dir)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if !ok { // killed before its first event
			continue
		}
		p, err := profiles.Parse(r.Run, started.Resolved, nil)
		if err != nil {
			problems = append(problems, fmt.Errorf("run %s was made with a profile that this version does not read: %w", r.Run, err))
			continue
		}
		hash := p.Hash()
		found[hash] = append(found[hash], r)
		if r.State == store.Done && s.cell(hash) != nil {
			with.add(started.Provenance)
		}
	}
	s.Notes = with.notes()
	for _, c := range s.Cells {
		best := choose(found[c.Hash])
		if best == nil {
			c.Run, c.Dir, c.State, c.Err = "", "", report.Missing, ""
			continue
		}
		c.Run, c.Dir, c.State, c.Err = best.Run, best.Dir, best.State, ""
		if c.State == store.Failed {
			if c.Err, err = failure(c.Dir); err != nil {
				problems = append(problems, err)
			}
		}
	}
	return problems, nil
}

func (s *Sweep) cell(hash string) *Cell {
	i := slices.IndexFunc(s.Cells, func(c *Cell) bool { return c.Hash == hash })
	if i < 0 {
		return nil
	}
	return s.Cells[i]
}

// choose takes one of the runs of a cell, newest first.
func choose(runs []store.RunInfo) *store.RunInfo {
	for _, state := range []store.State{store.Done, store.Running} {
		for i := range runs {
			if runs[i].State == state {
				return &runs[i]
			}
		}
	}
	if len(runs) == 0 {
		return nil
	}
	return &runs[0]
}

// opening is the first event of a run; false when it has none yet.
func opening(dir string) (event.RunStarted, bool, error) {
	r, err := store.Open(dir)
	if err != nil {
		return event.RunStarted{}, false, err
	}
	e, ok, err := r.Started()
	return e, ok, errors.Join(err, r.Close())
}

// failure is why a failed run failed, which its last event says.
func failure(dir string) (string, error) {
	r, err := store.Open(dir)
	if err != nil {
		return "", err
	}
	last, err := r.Count()
	if err != nil {
		return "", errors.Join(err, r.Close())
	}
	text := ""
	for record, err := range r.Events(last) {
		if err != nil {
			return "", errors.Join(err, r.Close())
		}
		if e, ok := record.Event.(event.RunEnded); ok {
			text = e.Failed
		}
	}
	return text, r.Close()
}
