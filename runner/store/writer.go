package store

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"verge/runner/event"
)

// maxPending is how many events may wait for the disk before Append does.
const maxPending = 4096

// Writer appends events to a run. It is safe for concurrent use.
//
// Append only queues: one goroutine stores what has come in since it last looked, in one transaction, so that events
// are as cheap as they are frequent. After an error nothing more is stored, and every later call returns that error;
// what was stored before it is a prefix of the run, without gaps.
type Writer struct {
	dir     string
	lock    *lock
	db      *sql.DB
	insert  *sql.Stmt
	session int
	state   State         // as the events stored so far have it; the goroutine's own
	stopped chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	changed *sync.Cond
	pending []row
	last    int64 // seq of the last event queued
	stored  int64 // seq of the last event stored
	closed  bool
	err     error
}

// Dir is the run's folder.
func (w *Writer) Dir() string { return w.dir }

// Run is the run's name, which is its folder's.
func (w *Writer) Run() string { return filepath.Base(w.dir) }

// Append queues events, in order and all in one transaction, and returns the sequence number of the last event queued.
// Its error may be that of an earlier Append: see Writer. An event that cannot be encoded is refused at once, with the
// others of the call, and does no harm.
func (w *Writer) Append(events ...event.Event) (seq int64, err error) {
	rows := make([]row, len(events))
	for i, e := range events {
		if rows[i], err = newRow(e); err != nil {
			return 0, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.pending) > maxPending && w.err == nil && !w.closed {
		w.changed.Wait()
	}
	if err := w.usable(); err != nil {
		return 0, err
	}
	for i := range rows {
		w.last++
		rows[i].seq = w.last
	}
	w.pending = append(w.pending, rows...)
	w.changed.Broadcast()
	return w.last, nil
}

// Flush waits until every event appended so far is stored: it outlives the process then.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for target := w.last; w.stored < target && w.err == nil; {
		w.changed.Wait()
	}
	return w.usable()
}

// Rest notes that nothing is done for the run until GoOn, as if it were interrupted and resumed then: that time is none of its time. Nothing is
// appended meanwhile.
func (w *Writer) Rest() error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.tick(0)
}

// GoOn ends a Rest.
func (w *Writer) GoOn() error { return w.tick(1) }

// tick reads the clock where nothing is stored, some sessions on.
func (w *Writer) tick(sessions int) error {
	w.mu.Lock()
	w.session += sessions
	last := w.last
	w.mu.Unlock()
	return explain("write the timings of", w.dir, w.clock(w.db, last))
}

// SetHeadline sets the line that a list of runs shows, and the figure in it that runs are ordered by, where it has one.
func (w *Writer) SetHeadline(text string, figure *float64) error {
	w.mu.Lock()
	err := w.usable()
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return explain("write the headline of", w.dir, update(w.db, func(tx *sql.Tx) error {
		if figure != nil {
			if err := setMeta(tx, keyFigure, strconv.FormatFloat(*figure, 'g', -1, 64)); err != nil {
				return err
			}
		}
		return setMeta(tx, keyHeadline, text)
	}))
}

// Close stores what is queued and gives the run up. A run whose last event is no RunEnded is interrupted. It returns the
// error after which nothing was stored, if there was one.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.closed = true
	w.changed.Broadcast()
	w.mu.Unlock()
	<-w.stopped

	err := w.err
	if err == nil {
		err = explain("close", w.dir, w.finish())
	}
	if failed := w.release(); failed != nil {
		err = errors.Join(err, explain("close", w.dir, failed))
	}
	return err // w.err itself where that is all: its caller has met it before
}

// usable is the error that keeps the writer from storing more. The caller holds mu.
func (w *Writer) usable() error {
	if w.err == nil && w.closed {
		return ErrClosed
	}
	return w.err
}

// run stores batches until the writer is closed and nothing is left, or an error comes.
func (w *Writer) run() {
	defer close(w.stopped)
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.pending) == 0 && !w.closed {
			w.changed.Wait()
		}
		if len(w.pending) == 0 {
			return
		}
		batch := w.pending
		w.pending = nil
		w.mu.Unlock()
		err := w.store(batch)
		w.mu.Lock()
		if err != nil {
			w.err = explain("write", filepath.Join(w.dir, dbFile), err)
			w.pending = nil
			w.changed.Broadcast()
			return
		}
		w.stored = batch[len(batch)-1].seq
		w.changed.Broadcast()
	}
}

// store writes one batch, all or nothing.
func (w *Writer) store(batch []row) error {
	tx, err := w.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert := tx.Stmt(w.insert)
	state := w.state
	for _, r := range batch {
		_, err := insert.Exec(r.seq, r.name, r.arm, r.stage, r.step, r.proposal, r.attempt, r.payload)
		if code(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
			return fmt.Errorf("%v: %w", r, ErrDuplicate)
		}
		if err != nil {
			return err
		}
		state = r.state
	}
	if state != w.state {
		if err := setMeta(tx, keyState, string(state)); err != nil {
			return err
		}
	}
	if err := w.clock(tx, batch[len(batch)-1].seq); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	w.state = state
	return nil
}

// clock notes when the event seq was stored by.
func (w *Writer) clock(db execer, seq int64) error {
	_, err := db.Exec(`INSERT INTO timings (session, seq, unix_ms) VALUES (?, ?, ?)`, w.session, seq, time.Now().UnixMilli())
	return err
}

// finish leaves the database as a reader of a run that nobody writes should find it.
func (w *Writer) finish() error {
	if w.state == Running {
		if err := setMeta(w.db, keyState, string(Interrupted)); err != nil {
			return err
		}
	}
	if err := w.clock(w.db, w.last); err != nil {
		return err
	}
	// Without a write-ahead log the run is one file, which can be read from a folder that cannot be written. While
	// somebody reads, SQLite refuses the change: the log then stays, and is as good.
	if _, err := w.db.Exec(`PRAGMA busy_timeout = 0`); err != nil {
		return err
	}
	if _, err := w.db.Exec(`PRAGMA journal_mode = DELETE`); err != nil && primary(err) != sqlite3.SQLITE_BUSY {
		return err
	}
	return nil
}

// release closes what is open, the lock last.
func (w *Writer) release() error {
	var errs []error
	if w.insert != nil {
		errs = append(errs, w.insert.Close())
	}
	if w.db != nil {
		errs = append(errs, w.db.Close())
	}
	return errors.Join(append(errs, w.lock.release())...)
}
