package store

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // registers the driver
)

const (
	dbFile   = "run.db"
	lockFile = "run.lock"
)

// access is the way a database is opened, in the words of SQLite's URI.
type access string

const (
	reading  access = "ro"
	writing  access = "rw"
	creating access = "rwc"
)

// openDB opens a database by path. The path is escaped, so that ?, #, % and spaces in it mean themselves. Nothing is
// read yet: errors come with the first statement.
func openDB(path string, a access, pragmas ...string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	query := url.Values{"mode": {string(a)}, "_pragma": pragmas, "_error_rc": {"1"}, "_txlock": {"immediate"}}
	uri := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return sql.Open("sqlite", uri.String())
}
