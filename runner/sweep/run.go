package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"verge/runner"
	"verge/runner/lab"
	"verge/runner/store"
)

// lockFile is held by the process that runs a sweep.
const lockFile = "sweep.lock"

// Observer is told what happens while a sweep runs, by several cells at a time.
type Observer interface {
	Started(c *Cell, m *lab.Meter)
	Ended(c *Cell)
	Say(text string)
}

// Run runs the cells that are not done, some jobs of them at a time, and resumes those that were interrupted or failed. A cell that fails does
// not stop the others, see Failed, unless it is for a full disk, on which they would fail too. When ctx is cancelled what was done is kept,
// and the error is ctx's. Only one process at a time runs a sweep.
func (s *Sweep) Run(ctx context.Context, jobs int, o Observer) error {
	if err := s.look(o); err != nil || len(s.open()) == 0 {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return &runner.RequestError{Text: fmt.Sprintf("creating the sweep's folder: %v; name another with --out", err)}
	}
	lock, err := store.Lock(filepath.Join(s.Dir, lockFile))
	if errors.Is(err, store.ErrInUse) {
		return &runner.RequestError{Text: fmt.Sprintf("sweep %s is being run by another process: no cell is run twice, so wait until that one ends, or stop it", s.Dir)}
	}
	if err != nil {
		return err
	}
	// The other process may have ended between the first look and the lock.
	err = s.look(o)
	if err == nil {
		err = s.write()
	}
	if err == nil {
		err = s.runOpen(ctx, jobs, o)
	}
	return errors.Join(err, lock.Close())
}

func (s *Sweep) look(o Observer) error {
	problems, err := s.Look()
	for _, p := range problems {
		o.Say(p.Error())
	}
	return err
}

// open lists the cells to run, seed by seed, so that an interrupted sweep has whole rows to compare.
func (s *Sweep) open() []*Cell {
	var cells []*Cell
	for _, c := range s.Cells {
		if c.State != store.Done && c.State != store.Running {
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b *Cell) int {
		return cmp.Compare(slices.Index(s.Seeds, a.Seed), slices.Index(s.Seeds, b.Seed))
	})
	return cells
}

func (s *Sweep) runOpen(ctx context.Context, jobs int, o Observer) error {
	queue := make(chan *Cell)
	full := make(chan struct{}) // closed when the disk is
	var once sync.Once
	var workers sync.WaitGroup
	for range min(jobs, len(s.Cells)) {
		workers.Go(func() {
			for c := range queue {
				if err := s.runCell(ctx, c, o); store.Full(err) {
					once.Do(func() { close(full) })
				}
			}
		})
	}
feed:
	for _, c := range s.open() {
		select {
		case queue <- c:
		case <-full:
			break feed
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
	return ctx.Err()
}

// runCell runs one cell. Its error, which the cell has too, is the run's.
func (s *Sweep) runCell(ctx context.Context, c *Cell, o Observer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	meter := &lab.Meter{}
	o.Started(c, meter)
	defer o.Ended(c)
	options := runner.Options{Profile: c.Profile, Out: s.Dir, Resume: c.Dir, Meter: meter, Started: func(dir string) { c.Dir, c.Run = dir, filepath.Base(dir) }}
	c.Err = ""
	summary, err := runner.Run(ctx, options)
	if errors.Is(err, runner.ErrDiverged) {
		o.Say(fmt.Sprintf("%s: a new run replaces %s: %v", c, c.Run, err))
		options.Resume = ""
		summary, err = runner.Run(ctx, options)
	}
	switch {
	case err == nil:
		c.State, c.summary = store.Done, summary
	case errors.Is(err, context.Canceled):
		c.State = store.Interrupted
	case errors.Is(err, store.ErrInUse):
		c.State, c.Err = store.Running, err.Error()
	default:
		c.State, c.Err = store.Failed, err.Error()
	}
	return err
}
