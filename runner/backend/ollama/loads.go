package ollama

import (
	"sync"
	"time"
)

// loadFloor is what a server that has the model loaded may report as load_duration all the same: for every call it reads the manifest
// and the file's head, which took 0.5 s on a busy machine.
const loadFloor = time.Second

// heavy is the share of the wall time above which loading is told of.
const heavy = 0.2

// loads accounts for the time a model was loading. Calls that wait for one load all report it, so that intervals are merged.
type loads struct {
	mu    sync.Mutex
	began time.Time // of the first load
	until time.Time // end of the last one
	total time.Duration
	n     int
}

// add accounts for a load that began at start and took so long, and says whether it is one not yet known.
func (l *loads) add(start time.Time, took time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n == 0 {
		l.began = start
	}
	end := start.Add(took)
	fresh := l.n == 0 || !start.Before(l.until)
	if fresh {
		l.n++
	} else if start = l.until; end.Before(start) {
		return false
	}
	l.total += end.Sub(start)
	l.until = end
	return fresh
}

func (l *loads) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// share is loading's share of the wall time since the first load began; false before a second load, since the first cannot be helped.
func (l *loads) share(now time.Time) (float64, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wall := now.Sub(l.began)
	if l.n < 2 || wall <= 0 {
		return 0, false
	}
	return float64(l.total) / float64(wall), true
}
