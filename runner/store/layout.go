package store

import (
	"database/sql"
	"fmt"
	"strconv"
)

// layouts are the steps by which a run's database is laid out: step i makes version i + 1 of the version before. A new run goes through
// all of them, and one that an earlier Verge wrote through those that it lacks, so that both end up the same. A step, once released, is
// never edited: what comes next is another step.
//
// A step must leave alone what Reader reads, or Reader must read both: a run is read as it is, whatever its version, and only its next
// writer takes it to the present one.
var layouts = []string{
	// The two unique indices see to it that nothing is stored twice that a resumed run looks up by its key.
	`
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
`,
	// What is asked about one task, and where a stage began, is found without a look at every event.
	`
CREATE INDEX validations ON events (arm, stage, step, proposal) WHERE name = 'TaskValidated';
CREATE INDEX scores ON events (arm, stage, step, proposal) WHERE name = 'ProbeScored';
CREATE INDEX stages ON events (seq) WHERE name = 'StageStarted';
`,
	// Nor is an oracle's answer stored twice.
	`
CREATE UNIQUE INDEX oracles ON events (arm, stage, step, proposal, json_extract(payload, '$.oracle')) WHERE name = 'OracleAnswered';
`,
}

// layoutOf is the version that a run's meta table states. One that this Verge does not know is an error.
func layoutOf(meta map[string]string) (int, error) {
	v, err := strconv.Atoi(meta[keyVersion])
	switch {
	case err != nil:
		return 0, fmt.Errorf("meta: %s = %q: not a number", keyVersion, meta[keyVersion])
	case v > len(layouts):
		return 0, fmt.Errorf("meta: %s = %d: this Verge reads up to %d; use the newer Verge that wrote the run", keyVersion, v, len(layouts))
	case v < 1:
		return 0, fmt.Errorf("meta: %s = %d: there is no such version", keyVersion, v)
	}
	return v, nil
}

// migrate takes a database from a version, 0 of an empty one, to the present one. The caller commits: all steps are taken, or none.
func migrate(tx *sql.Tx, from int) error {
	if from == len(layouts) {
		return nil
	}
	for i, step := range layouts[from:] {
		if _, err := tx.Exec(step); err != nil {
			return fmt.Errorf("taking its layout to version %d: %w", from+i+1, err)
		}
	}
	return setMeta(tx, keyVersion, strconv.Itoa(len(layouts)))
}

// update runs a change in one transaction.
func update(db *sql.DB, change func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}
