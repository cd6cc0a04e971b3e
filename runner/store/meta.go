package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
)

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
	keyFigure   = "figure"   // of the headline; absent: none
	keySettings = "settings" // a JSON list; absent: none
	keyTags     = "tags"     // likewise
	keyNote     = "note"     // absent: none
)

// readMeta reads the meta table and refuses one that this version does not understand.
func readMeta(db querier) (map[string]string, error) {
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
	if _, err := layoutOf(meta); err != nil {
		return nil, err
	}
	return meta, nil
}

// querier and execer are what a database and a transaction have in common.
type (
	querier interface {
		Query(query string, args ...any) (*sql.Rows, error)
		QueryRow(query string, args ...any) *sql.Row
	}
	execer interface {
		Exec(query string, args ...any) (sql.Result, error)
	}
)

func setMeta(db execer, key, value string) error {
	_, err := db.Exec(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return err
}

// readList is a list in a meta table, nil where it has none.
func readList(meta map[string]string, key string) (list []string, err error) {
	text, ok := meta[key]
	if !ok {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("meta: %s = %q: %w", key, text, err)
	}
	return list, nil
}

func setList(db execer, key string, list []string) error {
	text, err := json.Marshal(append([]string{}, list...))
	if err != nil {
		return err
	}
	return setMeta(db, key, string(text))
}
