package store

import (
	"time"

	"verge/runner/event"
)

// StageTimes is how long the run was written for in each stage, over all arms. What is stored at once counts for the stage that the first
// event of it is of; what comes before the first stage counts for stage "".
func (r *Reader) StageTimes() (map[event.Stage]time.Duration, error) {
	times, err := r.stageTimes()
	return times, explain("read the timings of", r.dir, err)
}

func (r *Reader) stageTimes() (map[event.Stage]time.Duration, error) {
	// Of each interval between two readings of a session's clock: the last stage that had begun by its first event.
	rows, err := r.db.Query(`
		SELECT coalesce((SELECT stage FROM events WHERE name = 'StageStarted' AND seq <= t.before + 1 ORDER BY seq DESC LIMIT 1), ''), sum(t.ms)
		FROM (SELECT lag(seq) OVER w AS before, unix_ms - lag(unix_ms) OVER w AS ms FROM timings WINDOW w AS (PARTITION BY session ORDER BY id)) AS t
		WHERE t.before IS NOT NULL GROUP BY 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	times := map[event.Stage]time.Duration{}
	for rows.Next() {
		var stage string
		var ms int64
		if err := rows.Scan(&stage, &ms); err != nil {
			return nil, err
		}
		times[event.Stage(stage)] = time.Duration(ms) * time.Millisecond
	}
	return times, rows.Err()
}
