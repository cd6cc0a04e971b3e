package store

import (
	"database/sql"
	"fmt"
	"strconv"
)

// version is the version of the layout below. It grows when a run written before could be misread.
const version = 1

// schema is the layout of a run's database. The two unique indices see to it that nothing is stored twice that a
// resumed run looks up by its key.
const schema = `
CREATE TABLE meta (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
	seq      INTEGER PRIMARY KEY, -- from 1, without gaps
	name     TEXT NOT NULL,
	arm      TEXT,
	stage    TEXT,
	step     INTEGER,
	proposal INTEGER,
	attempt  INTEGER,
	payload  TEXT NOT NULL        -- a JSON object
) STRICT;
CREATE UNIQUE INDEX proposals ON events (arm, stage, step, proposal) WHERE name = 'TaskProposed';
CREATE UNIQUE INDEX attempts ON events (arm, stage, step, proposal, attempt) WHERE name = 'AttemptGraded';
CREATE TABLE timings (
	id      INTEGER PRIMARY KEY,
	session INTEGER NOT NULL, -- from 1; a resumed run has several
	seq     INTEGER NOT NULL, -- the last event that was stored
	unix_ms INTEGER NOT NULL  -- by then
) STRICT;
`

// The keys of meta.
const (
	keyVersion  = "store_version"
	keyRun      = "run"
	keyProfile  = "profile"
	keyRecipe   = "recipe"
	keyDomain   = "domain"
	keySeed     = "seed"
	keyStarted  = "started"
	keyState    = "state"
	keyHeadline = "headline"
)

// readMeta reads the meta table and refuses one that this version does not understand.
func readMeta(db *sql.DB) (map[string]string, error) {
	var tables int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('meta', 'events', 'timings')`).Scan(&tables); err != nil {
		return nil, err
	}
	if tables != 3 {
		return nil, fmt.Errorf("the database holds no run of Verge")
	}
	rows, err := db.Query(`SELECT key, value FROM meta`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	meta := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, err
		}
		meta[key] = value
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	v, err := strconv.Atoi(meta[keyVersion])
	switch {
	case err != nil:
		return nil, fmt.Errorf("meta: %s = %q: not a number", keyVersion, meta[keyVersion])
	case v > version:
		return nil, fmt.Errorf("meta: %s = %d: this Verge reads up to %d; use the newer Verge that wrote the run", keyVersion, v, version)
	case v < 1:
		return nil, fmt.Errorf("meta: %s = %d: there is no such version", keyVersion, v)
	}
	return meta, nil
}

// execer is a database or a transaction.
type execer interface {
	Exec(query string, args ...any) (sql.Result, error)
}

func setMeta(db execer, key, value string) error {
	_, err := db.Exec(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return err
}
