package store

import (
	"fmt"

	"verge/runner/event"
)

// Proposal looks a stored proposal up by its key; false when there is none.
func (r *Reader) Proposal(k event.Key) (event.TaskProposed, bool, error) {
	return one(lookUp[event.TaskProposed](r, `SELECT payload FROM events
		WHERE seq <= ? AND name = 'TaskProposed' AND arm = ? AND stage = ? AND step = ? AND proposal = ?`, k))
}

// Validation looks up what was found of a stored proposal; false when it has not been validated.
func (r *Reader) Validation(k event.Key) (event.TaskValidated, bool, error) {
	return one(lookUp[event.TaskValidated](r, `SELECT payload FROM events
		WHERE seq <= ? AND name = 'TaskValidated' AND arm = ? AND stage = ? AND step = ? AND proposal = ?`, k))
}

// Scores looks up the probes' readings of a proposal, in the order they were stored.
func (r *Reader) Scores(k event.Key) ([]event.ProbeScored, error) {
	return lookUp[event.ProbeScored](r, `SELECT payload FROM events
		WHERE seq <= ? AND name = 'ProbeScored' AND arm = ? AND stage = ? AND step = ? AND proposal = ? ORDER BY seq`, k)
}

// Oracles looks up what oracles answered to a proposal, in the order they were asked.
func (r *Reader) Oracles(k event.Key) ([]event.OracleAnswered, error) {
	return lookUp[event.OracleAnswered](r, `SELECT payload FROM events
		WHERE seq <= ? AND name = 'OracleAnswered' AND arm = ? AND stage = ? AND step = ? AND proposal = ? ORDER BY seq`, k)
}

// Attempts looks up the stored attempts at a proposal, by their number.
func (r *Reader) Attempts(k event.Key) ([]event.AttemptGraded, error) {
	return lookUp[event.AttemptGraded](r, `SELECT payload FROM events
		WHERE seq <= ? AND name = 'AttemptGraded' AND arm = ? AND stage = ? AND step = ? AND proposal = ? ORDER BY attempt`, k)
}

// one is the first of what was found.
func one[E event.Event](found []E, err error) (E, bool, error) {
	if err != nil || len(found) == 0 {
		var none E
		return none, false, err
	}
	return found[0], true, nil
}

func lookUp[E event.Event](r *Reader, query string, k event.Key) ([]E, error) {
	fail := func(err error) ([]E, error) { return nil, explain(fmt.Sprintf("look up %s in", k), r.dir, err) }
	rows, err := r.db.Query(query, r.until, k.Arm, string(k.Stage), k.Step, k.Proposal)
	if err != nil {
		return fail(err)
	}
	defer rows.Close()
	var found []E
	for rows.Next() {
		var payload []byte
		if err := rows.Scan(&payload); err != nil {
			return fail(err)
		}
		var zero E
		e, err := event.Decode(zero.Name(), payload)
		if err != nil {
			return fail(err)
		}
		found = append(found, e.(E))
	}
	if err := rows.Err(); err != nil {
		return fail(err)
	}
	return found, nil
}
