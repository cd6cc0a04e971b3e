package runner

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/store"
)

// ErrDiverged is the error of resuming a run whose stored events come out differently now.
var ErrDiverged = errors.New("the run's stored events come out differently now")

// stream is where a run's events go: to the fold, which refuses one that contradicts those before it, and then to the store. A
// resumed run is carried out again from its start; the events it has stored are then expected, one by one, instead of stored again.
//
// Notices of a server are beside all this: they come when they come, from any goroutine. Those that are stored are taken as they are, between
// the events that they stand between, and new ones wait until all that is stored has come again.
type stream struct {
	writer *store.Writer
	fold   event.Fold

	turn sync.Mutex // held by whoever emits, also while the run is paused

	mu      sync.Mutex    // guards what follows; not held while the run is paused
	emits   bool          // events are being emitted, between which no notice stands
	waiting []event.Event // notices
	ended   bool
	stored  []stored      // of a resumed run
	next    int           // the first of stored that has not come again
	count   int           // events so far
	before  time.Duration // that a resumed run has taken already
	// wait, if not nil, returns when an event may happen; it calls its argument before it blocks. observe, if not nil, is told of every
	// event in order, those that a resumed run has stored among them.
	wait    func(e event.Event, keep func() error) error
	observe func(event.Event)
	noticed func(event.BackendNoticed) // if not nil, is told of every notice as it comes
}

type stored struct {
	name    string
	payload []byte
	event   event.Event
}

// emit is how the recipe's events reach the run.
func (s *stream) emit(events ...event.Event) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emits = true
	err := s.add(events)
	s.emits = false
	if after := s.append(); err == nil {
		err = after
	}
	return err
}

// add folds events and stores those that are new. The caller holds mu, which is given up while the run is paused.
func (s *stream) add(events []event.Event) error {
	for len(events) > 0 {
		again, err := s.again(events[0])
		if err != nil {
			return err
		}
		if !again {
			break
		}
		events = events[1:]
	}
	kept := 0
	keep := func(upTo int) error {
		_, err := s.writer.Append(events[kept:upTo]...)
		kept = upTo
		return err
	}
	for i, e := range events {
		if s.wait != nil {
			s.mu.Unlock()
			err := s.held(e, func() error { return keep(i) })
			s.mu.Lock()
			if err != nil {
				return err
			}
		}
		if err := s.apply(e); err != nil {
			return err
		}
	}
	return keep(len(events))
}

// held waits until an event may happen. While that is not at once, the run's time stands still.
func (s *stream) held(e event.Event, keep func() error) error {
	rests := false
	err := s.wait(e, func() error {
		if err := keep(); err != nil {
			return err
		}
		if rests {
			return nil
		}
		rests = true
		return s.writer.Rest()
	})
	if !rests {
		return err
	}
	return errors.Join(err, s.writer.GoOn())
}

// notice takes a notice of a server, from any goroutine, and returns at once also where the run is paused. That it cannot be stored shows at
// the next event.
func (s *stream) notice(e event.BackendNoticed) {
	if s.noticed != nil {
		s.noticed(e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, e)
	if !s.emits {
		_ = s.append()
	}
}

// append stores the notices that wait, where they may stand now: after the first event, before the last, and after all that is stored.
func (s *stream) append() error {
	if s.count == 0 || s.ended || s.next < len(s.stored) || len(s.waiting) == 0 {
		return nil
	}
	for _, e := range s.waiting {
		if err := s.apply(e); err != nil {
			return err
		}
	}
	_, err := s.writer.Append(s.waiting...)
	s.waiting = nil
	return err
}

// again says whether an event is the next of those that are stored. Another one there is an error.
func (s *stream) again(e event.Event) (bool, error) {
	for s.next < len(s.stored) && isNotice(s.stored[s.next].event) {
		if err := s.take(); err != nil {
			return false, err
		}
	}
	if s.next == len(s.stored) {
		return false, nil
	}
	return true, s.expect(e)
}

func isNotice(e event.Event) bool {
	_, notice := e.(event.BackendNoticed)
	return notice
}

// position is the number of events so far.
func (s *stream) position() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

func (s *stream) apply(e event.Event) error {
	if err := s.fold.Apply(e); err != nil {
		return err
	}
	s.count++
	_, s.ended = e.(event.RunEnded)
	if s.observe != nil {
		s.observe(e)
	}
	return nil
}

func (s *stream) expect(e event.Event) error {
	name, payload, err := event.Encode(e)
	if err != nil {
		return err
	}
	if want := s.stored[s.next]; name != want.name || !bytes.Equal(payload, want.payload) {
		return &RequestError{cause: ErrDiverged, Text: fmt.Sprintf("the run cannot be resumed: its event %d, %s, comes out differently now. It was started by "+
			"another version of verge, with other model files, or on a machine whose CPU rounds otherwise; what it has is kept, so resume it as it was started, or start a new run", s.next+1, want.name)}
	}
	return s.take()
}

// take folds the next stored event.
func (s *stream) take() error {
	err := s.apply(s.stored[s.next].event)
	s.next++
	return err
}

// fail ends the run with an error, unless it failed before it came to anything new. A run that a full disk stopped has not failed: it is
// interrupted.
func (s *stream) fail(err error) error {
	if slices.ContainsFunc(s.stored[s.next:], func(e stored) bool { return !isNotice(e.event) }) || store.Full(err) {
		return nil
	}
	return s.emit(event.RunEnded{Failed: err.Error()})
}

// skip takes the stored events up to number seq without carrying them out again.
func (s *stream) skip(seq int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq > len(s.stored) {
		return fmt.Errorf("a checkpoint stands at event %d, but only %d are stored", seq, len(s.stored))
	}
	for s.next < seq {
		if err := s.take(); err != nil {
			return err
		}
	}
	return nil
}

// read takes up what a run has stored. The failure that ended it is left out: the run is about to go on.
func (s *stream) read(dir string) (*lab.Known, error) {
	r, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	if s.before, err = r.Wall(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	known := &lab.Known{}
	for record, err := range r.Events(1) {
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		if _, ended := record.Event.(event.RunEnded); ended {
			continue
		}
		name, payload, err := event.Encode(record.Event)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		s.stored = append(s.stored, stored{name, payload, record.Event})
		known.Add(record.Event)
	}
	return known, r.Close()
}
