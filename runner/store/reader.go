package store

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"verge/runner/event"
)

// Reader reads a run, finished or still being written. It is safe for concurrent use.
type Reader struct {
	dir    string
	db     *sql.DB
	copied string // the folder of a copy that is read in its stead, or ""
	until  int64  // the last event that is looked up
}

// Open opens a run for reading, by its folder. A folder that holds no run, or one written by a newer layout, is an error. An interrupted run
// in a folder that cannot be written is read from a copy where SQLite cannot read it there; Close deletes it.
func Open(dir string) (*Reader, error) {
	r := &Reader{dir: dir, until: math.MaxInt64}
	if err := r.open(); err != nil {
		return nil, explain("read the run", dir, err)
	}
	return r, nil
}

func (r *Reader) open() error {
	path, err := database(r.dir)
	if err != nil {
		return err
	}
	r.db, err = openRun(path, reading)
	if code(err) == sqlite3.SQLITE_READONLY_ROLLBACK {
		if err = rollBack(path); err == nil {
			r.db, err = openRun(path, reading)
		}
	}
	if unwritable(err) {
		r.db, r.copied, err = openCopy(path)
	}
	return err
}

// openRun opens a run's database and makes sure that it holds one.
func openRun(path string, a access) (*sql.DB, error) {
	db, err := openDB(path, a, "busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	if _, err := readMeta(db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// rollBack takes back what a process had half written to a database without a write-ahead log when it was killed: while a run is made, and
// when it is finished or annotated. SQLite does that before the first look at it, but not for somebody who only reads.
func rollBack(path string) error {
	db, err := openRun(path, writing)
	if err != nil {
		return err
	}
	return db.Close()
}

// Until is the reader of what had been stored of proposals by an event: it looks up none after that. It is closed with r.
func (r *Reader) Until(seq int64) *Reader {
	until := *r
	until.until = seq
	return &until
}

// Close ends reading.
func (r *Reader) Close() error { return errors.Join(r.db.Close(), os.RemoveAll(r.copied)) }

// Info is the run as a list of runs shows it, as of now.
func (r *Reader) Info() (RunInfo, error) {
	// The lock is looked at first: a writer that ends between the two leaves a state that is not Running any more.
	written, err := held(r.dir)
	if err != nil {
		return RunInfo{}, explain("read the lock of", r.dir, err)
	}
	meta, err := readMeta(r.db)
	if err != nil {
		return RunInfo{}, explain("read the run", r.dir, err)
	}
	info, err := runInfo(r.dir, meta)
	if err != nil {
		return RunInfo{}, explain("read the run", r.dir, err)
	}
	if info.State == Running && !written {
		info.State = Interrupted
	}
	return info, nil
}

// Record is a stored event. Sequence numbers start at 1 and have no gaps, so they are also the number of events up to it.
type Record struct {
	Seq   int64
	Event event.Event
}

// page is how many events are read in one go. Between pages the database is not held, so that a slow reader of a run
// that is being written does not keep its log from being emptied.
const page = 500

// Events yields the events stored so far, in order, from a sequence number on. It stops at the first error.
func (r *Reader) Events(from int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			records, err := r.page(from)
			if err != nil {
				yield(Record{}, explain("read the events of", r.dir, err))
				return
			}
			for _, record := range records {
				if !yield(record, nil) {
					return
				}
			}
			if len(records) < page {
				return
			}
			from = records[len(records)-1].Seq + 1
		}
	}
}

func (r *Reader) page(from int64) ([]Record, error) {
	rows, err := r.db.Query(`SELECT seq, name, payload FROM events WHERE seq >= ? ORDER BY seq LIMIT ?`, from, page)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var records []Record
	for rows.Next() {
		var record Record
		var name string
		var payload []byte
		if err := rows.Scan(&record.Seq, &name, &payload); err != nil {
			return nil, err
		}
		if record.Event, err = event.Decode(name, payload); err != nil {
			return nil, fmt.Errorf("seq %d: %w", record.Seq, err)
		}
		records = append(records, record)
	}
	return records, rows.Err()
}

// Count is the number of events stored so far, which is the sequence number of the last.
func (r *Reader) Count() (int64, error) {
	var n int64
	err := r.db.QueryRow(`SELECT coalesce(max(seq), 0) FROM events`).Scan(&n)
	return n, explain("count the events of", r.dir, err)
}

// Started is the run's first event; false of a run that was interrupted before it.
func (r *Reader) Started() (event.RunStarted, bool, error) {
	for record, err := range r.Events(1) {
		if err != nil {
			return event.RunStarted{}, false, err
		}
		e, ok := record.Event.(event.RunStarted)
		if !ok {
			err = fmt.Errorf("run %s does not begin with RunStarted but with %s", r.dir, record.Event.Name())
		}
		return e, ok, err
	}
	return event.RunStarted{}, false, nil
}

// Load folds the events stored so far. The fold can go on with Events(n + 1), n being the Events of its state.
func (r *Reader) Load() (*event.Fold, error) {
	f := &event.Fold{}
	for record, err := range r.Events(1) {
		if err != nil {
			return nil, err
		}
		if err := f.Apply(record.Event); err != nil {
			return nil, explain("fold the events of", r.dir, err)
		}
	}
	return f, nil
}
