package store

import (
	"time"

	"verge/runner/event"
)

// Wall is the time the run has been written for. Between its interruption and its resumption, and while it was paused, it was not.
func (r *Reader) Wall() (time.Duration, error) {
	var ms int64
	err := r.db.QueryRow(`SELECT coalesce(sum(ms), 0) FROM (SELECT max(unix_ms) - min(unix_ms) AS ms FROM timings GROUP BY session)`).Scan(&ms)
	return time.Duration(ms) * time.Millisecond, explain("read the timings of", r.dir, err)
}

// Instant is a reading of the clock: by At every event up to Seq was stored, in the run's Session-th writing of it.
type Instant struct {
	Session int // from 1; a run that was resumed or paused has several
	Seq     int64
	At      time.Time // milliseconds, UTC
}

// Times are all readings of the clock, in the order they were taken. A session begins with one; between two of a session lie the events
// that were stored at once.
func (r *Reader) Times() ([]Instant, error) {
	times, err := r.times()
	return times, explain("read the timings of", r.dir, err)
}

func (r *Reader) times() ([]Instant, error) {
	rows, err := r.db.Query(`SELECT session, seq, unix_ms FROM timings ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var times []Instant
	for rows.Next() {
		var i Instant
		var ms int64
		if err := rows.Scan(&i.Session, &i.Seq, &ms); err != nil {
			return nil, err
		}
		i.At = time.UnixMilli(ms).UTC()
		times = append(times, i)
	}
	return times, rows.Err()
}

// Stamp is when a proposal's events of one name were stored, the first and the last of them.
type Stamp struct {
	Event       string
	First, Last time.Time // milliseconds, UTC
}

// Stamps are when all that belongs to a proposal was stored, in the order of the first events. What is stored at once has one time.
func (r *Reader) Stamps(k event.Key) ([]Stamp, error) {
	stamps, err := r.stamps(k)
	return stamps, explain("read the timings of", r.dir, err)
}

func (r *Reader) stamps(k event.Key) ([]Stamp, error) {
	rows, err := r.db.Query(`
		SELECT e.name, min(t.unix_ms), max(t.unix_ms)
		FROM events AS e JOIN timings AS t ON t.id = (SELECT min(id) FROM timings WHERE seq >= e.seq)
		WHERE e.seq <= ? AND e.arm = ? AND e.stage = ? AND e.step = ? AND e.proposal = ?
		GROUP BY e.name ORDER BY min(e.seq)`, r.until, k.Arm, string(k.Stage), k.Step, k.Proposal)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var stamps []Stamp
	for rows.Next() {
		var s Stamp
		var first, last int64
		if err := rows.Scan(&s.Event, &first, &last); err != nil {
			return nil, err
		}
		s.First, s.Last = time.UnixMilli(first).UTC(), time.UnixMilli(last).UTC()
		stamps = append(stamps, s)
	}
	return stamps, rows.Err()
}

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
