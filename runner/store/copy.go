package store

import (
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"verge/internal/disk"
)

// unwritable says whether a database could not be read because nothing can be written beside it: SQLite keeps an index of a write-ahead log
// there, and takes back what a killed process had half written.
func unwritable(err error) bool {
	switch primary(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}

// openCopy opens a copy of a run's database in a folder of its own, with the log that an interrupted run has beside it, so that all that was
// stored is read. remove deletes the copy.
func openCopy(path string) (db *sql.DB, remove func() error, err error) {
	dir, err := os.MkdirTemp("", "verge-run-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	for _, ending := range []string{"", "-wal", "-journal"} {
		err := copyFile(filepath.Join(dir, dbFile+ending), path+ending)
		if err != nil && !(ending != "" && errors.Is(err, fs.ErrNotExist)) {
			return nil, nil, errors.Join(err, remove())
		}
	}
	if db, err = openRun(filepath.Join(dir, dbFile), writing); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return db, remove, nil
}

func copyFile(to, from string) error {
	in, err := disk.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
