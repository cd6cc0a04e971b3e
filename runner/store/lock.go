package store

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"verge/internal/disk"
)

// Lock keeps a file for this process alone until it is closed, or the process ends, however that comes. ErrInUse is the
// error while another process, or this one, holds it. The file is created where it is missing, and stays.
func Lock(path string) (io.Closer, error) {
	l, err := acquire(path)
	if err != nil {
		return nil, explain("lock", path, err)
	}
	return l, nil
}

// lock is held by the one process that writes a run: an exclusive transaction, never committed, on an empty database
// beside the run's own. SQLite's file locks are portable and end with the process; and as it is another file, readers
// of the run never meet them.
type lock struct {
	db   *sql.DB
	conn *sql.Conn
}

func acquire(path string) (*lock, error) {
	// Somebody who only looks whether the lock is held shares it for an instant: wait that out.
	db, err := openDB(path, creating, "busy_timeout(500)")
	if err != nil {
		return nil, err
	}
	l := &lock{db: db}
	if l.conn, err = db.Conn(context.Background()); err == nil {
		_, err = l.conn.ExecContext(context.Background(), `BEGIN EXCLUSIVE`)
	}
	if err != nil {
		l.release()
		if primary(err) == sqlite3.SQLITE_BUSY {
			return nil, ErrInUse
		}
		return nil, err
	}
	return l, nil
}

// Close implements io.Closer.
func (l *lock) Close() error { return l.release() }

func (l *lock) release() error {
	var err error
	if l.conn != nil {
		err = l.conn.Close()
	}
	return errors.Join(err, l.db.Close())
}

// held says whether some process, this one included, writes the run.
func held(dir string) (bool, error) {
	path := filepath.Join(dir, lockFile)
	if err := disk.Regular(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	db, err := openDB(path, reading)
	if err != nil {
		return false, err
	}
	defer db.Close()
	var n int
	err = db.QueryRow(`SELECT count(*) FROM sqlite_schema`).Scan(&n)
	if primary(err) == sqlite3.SQLITE_BUSY {
		return true, nil
	}
	return false, err
}
