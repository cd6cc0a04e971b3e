package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"verge/internal/disk"
)

var (
	// ErrInUse is the error of opening a run for writing that another writer holds.
	ErrInUse = errors.New("the run is being written already")
	// ErrDuplicate is the error of storing a proposal, an attempt or an oracle's answer whose key is taken.
	ErrDuplicate = errors.New("stored already")
	// ErrDone is the error of reopening a run that went to its end.
	ErrDone = errors.New("the run is done: there is nothing to resume")
	// ErrClosed is the error of using a Writer after Close.
	ErrClosed = errors.New("the writer is closed")
)

// explain says what could not be done, to which path, and where the cause is known what to do about it.
func explain(doing, path string, err error) error {
	var missing *missingError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return missing
	}
	cause := err
	if p, ok := errors.AsType[*fs.PathError](err); ok && p.Path == path && error(p) == err {
		cause = p.Err // the path is said already
	}
	if hint := remedy(err); hint != "" {
		return fmt.Errorf("cannot %s %s: %w; %s", doing, path, cause, hint)
	}
	return fmt.Errorf("cannot %s %s: %w", doing, path, cause)
}

// errNoFolder is the cause of a folder that cannot be made though nothing forbids it, as in /proc.
var errNoFolder = errors.New("no folder can be made there")

// noFolder is why a folder could not be made: it keeps one from being taken for a run that is not there, and leaves out the name that a run
// has until it is one.
func noFolder(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errNoFolder
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func remedy(err error) string {
	switch {
	case errors.Is(err, errNoFolder), errors.Is(err, syscall.ENOTDIR):
		return "name another folder with --out"
	case errors.Is(err, ErrInUse):
		return "wait until that process ends, or stop it"
	case Full(err):
		return "the disk is full, or a quota or a limit on the size of files (ulimit -f) is reached: free some space, then start the run or resume it"
	case primary(err) == sqlite3.SQLITE_IOERR:
		return "the disk cannot be read: what was stored before is kept; try again, or copy the run to another disk"
	case code(err) == sqlite3.SQLITE_READONLY_DBMOVED:
		return "its folder was moved or deleted while it was written: what came since then is lost"
	case primary(err) == sqlite3.SQLITE_CANTOPEN, primary(err) == sqlite3.SQLITE_READONLY,
		errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "a run is kept in a folder that can be written, with a path of less than 500 bytes: change its permissions, copy the run, or name " +
			"another folder with --out"
	case primary(err) == sqlite3.SQLITE_NOTADB, primary(err) == sqlite3.SQLITE_CORRUPT:
		return "the file is no run of Verge, or it is damaged"
	}
	return ""
}

// Full says whether an error comes of a disk without room for more. SQLite tells a full disk from a failing one only where the system names
// the cause ENOSPC, so that every write that fails is taken for this.
func Full(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP:
		return true
	}
	return primary(err) == sqlite3.SQLITE_FULL || disk.Full(err)
}

// code is SQLite's extended result code, or 0 of another error.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

func primary(err error) int { return code(err) & 0xff }
