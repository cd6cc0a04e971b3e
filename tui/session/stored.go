package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/board"
	"verge/tui/guard"
)

// Stored shows a run from its store: to its present end, following it while another process writes it; or as a replay from its start.
type Stored struct {
	reader *store.Reader
	cancel context.CancelFunc
	wake   chan struct{} // something was asked of a replay
	done   chan struct{}
	frames *frames // of a replay

	mu     sync.Mutex
	board  *board.Snapshot
	status Status
	paused bool
	step   Action // StepProposal or StepUpdate under way, or ""
	target int    // event to go to, −1: none
}

// Open shows the run of a folder. The session reads until it is closed or ctx is cancelled.
func Open(ctx context.Context, g *guard.Guard, dir string, replay bool) (*Stored, error) {
	r, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &Stored{reader: r, wake: make(chan struct{}, 1), done: make(chan struct{}), target: -1, board: (&board.Board{}).Snapshot()}
	s.status = Status{Run: filepath.Base(dir), Dir: dir, State: Loading}
	if wall, err := r.Wall(); err == nil {
		s.status.Progress.Elapsed = wall
	}
	do := s.follow
	if replay {
		total, err := r.Count()
		if err == nil && total == 0 {
			err = fmt.Errorf("nothing is recorded in %s: it was interrupted before its first event", dir)
		}
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		s.status.State = Replaying
		s.status.Replay = Replay{Events: int(total), Speed: max(slowest, float64(total)/playTime.Seconds())}
		s.frames = newFrames(int(total))
		do = s.play
	}
	ctx, s.cancel = context.WithCancel(ctx)
	g.Go("reading "+dir, func() {
		defer close(s.done)
		defer r.Close()
		if err := do(ctx); err != nil && ctx.Err() == nil {
			s.change(func() { s.status.State, s.status.Error = Failed, err.Error() })
		}
		<-ctx.Done() // details are looked up until then
	})
	return s, nil
}

// Close ends reading, and waits until it has ended.
func (s *Stored) Close() {
	s.cancel()
	<-s.done
}

// Board implements Session.
func (s *Stored) Board() *board.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.board
}

// Status implements Session.
func (s *Stored) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// Control implements Session.
func (s *Stored) Control() Control { return s }

func (s *Stored) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// The pace of reading: how often a run that is written is looked at for new events, how often one that may be resumed, and how many events
// are folded between two looks at the screen.
const (
	look  = 150 * time.Millisecond
	watch = time.Second
	batch = 2000
)

// follow folds what is stored, and what another process adds.
func (s *Stored) follow(ctx context.Context) error {
	var b board.Board
	at := 0
	for {
		// The state is read first: what is stored after a run has ended is nothing.
		info, err := s.reader.Info()
		if err != nil {
			return err
		}
		total, err := s.reader.Count()
		if err != nil {
			return err
		}
		for record, err := range s.reader.Events(int64(at + 1)) {
			if err != nil {
				return err
			}
			if err := b.Apply(record.Event); err != nil {
				return err
			}
			if at++; at%batch == 0 {
				s.change(func() { s.board, s.status.Loaded = b.Snapshot(), min(1, float64(at)/float64(total)) })
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		wall, err := s.reader.Wall()
		if err != nil {
			return err
		}
		s.change(func() {
			s.board, s.status.Loaded, s.status.State = b.Snapshot(), 1, standing(info.State)
			s.status.Progress.Elapsed = wall
			if ended := s.board.Ended; ended != nil {
				s.status.Error = ended.Failed
			}
		})
		if info.State == store.Done {
			return nil
		}
		pause := watch
		if info.State == store.Running {
			pause = look
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func standing(s store.State) State {
	switch s {
	case store.Running:
		return Watching
	case store.Done:
		return Done
	case store.Failed:
		return Failed
	}
	return Interrupted
}

// Detail implements Session. In a replay it is what was known by the event that is shown.
func (s *Stored) Detail(k event.Key) (Detail, error) {
	if replay := s.Status().Replay; replay.Events > 0 {
		return Read(s.reader.Until(int64(replay.At)), k)
	}
	return Read(s.reader, k)
}

// Read looks up all that is stored of a proposal.
func Read(r *store.Reader, k event.Key) (Detail, error) {
	var d Detail
	var err error
	if d.Proposal, _, err = r.Proposal(k); err != nil {
		return d, err
	}
	validated, found, err := r.Validation(k)
	if err != nil {
		return d, err
	}
	if found {
		d.Validated = &validated
	}
	if d.Oracles, err = r.Oracles(k); err != nil {
		return d, err
	}
	if d.Scores, err = r.Scores(k); err != nil {
		return d, err
	}
	if d.Attempts, err = r.Attempts(k); err != nil {
		return d, err
	}
	d.Stamps, err = r.Stamps(k)
	return d, err
}
