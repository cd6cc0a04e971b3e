package store

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Create makes the folder of a new run in out, and out itself where it is missing, and opens it for writing. The folder is there with a run
// in it, or not at all: until then it has a name with a dot before it. On an error it leaves no folder behind.
func Create(out string, h Header) (*Writer, error) {
	if out == "" {
		return nil, errors.New("cannot create a run: the folder has no name; name one with --out")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, explain("create a run in", out, noFolder(err))
	}
	made, dir, err := newFolder(out, h)
	if err != nil {
		return nil, explain("create a run in", out, noFolder(err))
	}
	err = layOut(made, filepath.Base(dir), h)
	if err == nil {
		err = os.Rename(made, dir)
	}
	if err != nil {
		return nil, errors.Join(explain("create the run", dir, err), os.RemoveAll(made))
	}
	w, err := open(dir, func(*sql.Tx) error { return nil })
	if err != nil {
		return nil, errors.Join(explain("create the run", dir, err), os.RemoveAll(dir))
	}
	return w, nil
}

// newFolder makes a folder for a run to be laid out in, and says what it is to be called then.
func newFolder(out string, h Header) (made, dir string, err error) {
	for { // two runs of one second may draw the same name
		name := newRun(h)
		made, dir = filepath.Join(out, hidden+name), filepath.Join(out, name)
		err := os.Mkdir(made, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", "", err
		}
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			return made, dir, nil
		}
		if err := os.Remove(made); err != nil {
			return "", "", err
		}
	}
}

// layOut writes the database of a run that has no events yet.
func layOut(dir, run string, h Header) error {
	db, err := openDB(filepath.Join(dir, dbFile), creating)
	if err != nil {
		return err
	}
	return errors.Join(update(db, func(tx *sql.Tx) error { return initialise(tx, run, h) }), db.Close())
}

// Reopen opens an interrupted or failed run, by its folder, to append to it. A run of an earlier layout is taken to the present one,
// whole or not at all. ErrInUse is the error while another writer holds it, ErrDone that of a run which went to its end.
func Reopen(dir string) (*Writer, error) {
	if _, err := database(dir); err != nil {
		return nil, explain("resume the run", dir, err)
	}
	w, err := open(dir, func(tx *sql.Tx) error {
		meta, err := readMeta(tx)
		if err != nil {
			return err
		}
		if State(meta[keyState]) == Done {
			return ErrDone
		}
		from, err := layoutOf(meta)
		if err != nil {
			return err
		}
		if err := migrate(tx, from); err != nil {
			return err
		}
		return setMeta(tx, keyState, string(Running))
	})
	if err != nil {
		return nil, explain("resume the run", dir, err)
	}
	return w, nil
}

// initialise lays out an empty database.
func initialise(tx *sql.Tx, run string, h Header) error {
	if err := migrate(tx, 0); err != nil {
		return err
	}
	for _, m := range [][2]string{
		{keyRun, run}, {keyProfile, h.Profile}, {keyRecipe, h.Recipe}, {keyDomain, h.Domain}, {keySeed, strconv.FormatUint(h.Seed, 10)},
		{keyStarted, h.Started.UTC().Format(time.RFC3339)}, {keyState, string(Running)}, {keyHeadline, ""},
	} {
		if err := setMeta(tx, m[0], m[1]); err != nil {
			return err
		}
	}
	if len(h.Settings) == 0 {
		return nil
	}
	return setList(tx, keySettings, h.Settings)
}

// open locks the run and readies its database for appending, after prepare.
func open(dir string, prepare func(*sql.Tx) error) (_ *Writer, err error) {
	w := &Writer{dir: dir, state: Running, stopped: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	if w.lock, err = acquire(filepath.Join(dir, lockFile)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.release())
		}
	}()
	w.db, err = openDB(filepath.Join(dir, dbFile), writing, "busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	w.db.SetMaxOpenConns(1)
	if err = update(w.db, prepare); err != nil {
		return nil, err
	}
	// Not before: a run that prepare refuses is left as it is, without a write-ahead log.
	if _, err = w.db.Exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`); err != nil {
		return nil, err
	}
	if err = w.db.QueryRow(`SELECT coalesce(max(seq), 0) FROM events`).Scan(&w.last); err != nil {
		return nil, err
	}
	w.stored = w.last
	if err = w.db.QueryRow(`SELECT coalesce(max(session), 0) + 1 FROM timings`).Scan(&w.session); err != nil {
		return nil, err
	}
	if err = w.clock(w.db, w.last); err != nil {
		return nil, err
	}
	w.insert, err = w.db.Prepare(`INSERT INTO events (seq, name, arm, stage, step, proposal, attempt, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return nil, err
	}
	go w.run()
	return w, nil
}
