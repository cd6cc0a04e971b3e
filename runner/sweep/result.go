package sweep

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"verge/runner/report"
	"verge/runner/store"
)

// Result is what came of the sweep so far, without its comparisons, which take a while where there are many seeds.
func (s *Sweep) Result() (report.Sweep, error) {
	r := report.Sweep{Name: s.Name, Profile: s.Name, Axes: s.Axes, Seeds: s.Seeds, Method: s.Cells[0].Profile.Run.Recipe, Dir: s.Dir, Notes: s.Notes}
	if err := s.summarise(); err != nil {
		return r, err
	}
	for _, c := range s.Cells {
		cell := report.Cell{Hash: c.Hash, Settings: c.Settings, Seed: c.Seed, Run: c.Run, State: c.State, Error: c.Err, Arms: []report.Arm{}}
		if c.State == store.Done {
			cell.Arms = c.summary.Arms
		}
		r.Cells = append(r.Cells, cell)
	}
	return r, nil
}

// summarise reads the runs that are done and did not end in this process, as many at a time as there are cores: it takes a second each.
func (s *Sweep) summarise() error {
	errs := make([]error, len(s.Cells))
	var readers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range s.Cells {
		if c.State != store.Done || c.summary != nil {
			continue
		}
		free <- struct{}{}
		readers.Go(func() {
			errs[i] = c.read()
			<-free
		})
	}
	readers.Wait()
	return errors.Join(errs...)
}

func (c *Cell) read() error {
	reader, err := store.Open(c.Dir)
	if err != nil {
		return err
	}
	summary, err := report.Of(reader)
	c.summary = &summary
	return errors.Join(err, reader.Close())
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
