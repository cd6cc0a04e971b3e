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
// stored is read.
func openCopy(path string) (db *sql.DB, dir string, err error) {
	if dir, err = os.MkdirTemp("", "verge-run-*"); err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	for _, ending := range []string{"", "-wal", "-journal"} {
		err := copyFile(filepath.Join(dir, dbFile+ending), path+ending)
		if err != nil && !(ending != "" && errors.Is(err, fs.ErrNotExist)) {
			return nil, dir, err
		}
	}
	db, err = openRun(filepath.Join(dir, dbFile), writing)
	return db, dir, err
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
