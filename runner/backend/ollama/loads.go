package ollama

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// loadFloor is what a server that has the model loaded may report as load_duration all the same: for every call it reads the manifest
// and the file's head, which took 0.5 s on a busy machine. A shorter load is known only where the model was seen not to be loaded before.
const loadFloor = time.Second

// tooMuch is the share of the wall time above which loading is told of.
const tooMuch = 0.2

// loads accounts for the time that one model, or any of a server, was loading. Calls that wait for one load all report it, so that intervals are
// merged.
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

// share is loading's share of the wall time since the first load began.
func (l *loads) share(now time.Time) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	wall := now.Sub(l.began)
	if l.n == 0 || wall <= 0 {
		return 0
	}
	return float64(l.total) / float64(wall)
}

// account tells of a load that a call waited for, by what the server reported of it.
func (m *Model) account(ctx context.Context, start time.Time, took time.Duration) {
	if took >= loadFloor && m.loaded(start, took) {
		m.place(ctx)
	}
}

// loaded accounts for a load, and tells of one that was not known yet.
func (m *Model) loaded(start time.Time, took time.Duration) bool {
	m.client.loads.add(start, took)
	if !m.loads.add(start, took) {
		return false
	}
	kind, text := Loaded, fmt.Sprintf("%s was loaded in %v", m.name, took.Round(time.Millisecond))
	if m.loads.count() > 1 {
		kind, text = Reloaded, fmt.Sprintf("%s was loaded again, in %v", m.name, took.Round(time.Millisecond))
	}
	m.client.notify(Notice{Kind: kind, Model: m.name, Text: text, Took: took})
	return true
}

// heavy tells, once, that the models of the server take much of the time to load. That each is loaded once cannot be helped.
func (m *Model) heavy() {
	if m.loads.count() < 2 {
		return
	}
	share := m.client.loads.share(time.Now())
	if share <= tooMuch || !m.client.heavy.CompareAndSwap(false, true) {
		return
	}
	m.client.notify(Notice{Kind: HeavyLoading, Share: share,
		Text: fmt.Sprintf("%.0f %% of the time went into loading models at %s, %s among them again; they push each other out of memory: use fewer or smaller ones", 100*share, m.client.url, m.name)})
}
