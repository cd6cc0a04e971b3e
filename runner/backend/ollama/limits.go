package ollama

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Limits bound the phases of a call separately: one limit over all of them would have to allow for the loading of a large model, and
// then a connection that died would be noticed as late. Zero means the default.
type Limits struct {
	Connect time.Duration // to open a connection: 10 s
	Load    time.Duration // until the first byte of the answer, so waiting in the server's queue, loading, and reading the prompt: 10 min
	Idle    time.Duration // between two pieces of the answer: 2 min
	Total   time.Duration // the whole call: 30 min
}

// neverEnds is a limit for what may take days.
const neverEnds = time.Duration(1<<63 - 1)

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit *time.Duration
		value time.Duration
	}{{&l.Connect, 10 * time.Second}, {&l.Load, 10 * time.Minute}, {&l.Idle, 2 * time.Minute}, {&l.Total, 30 * time.Minute}} {
		if *d.limit == 0 {
			*d.limit = d.value
		}
	}
	return l
}

// passed is the cause of a call that one of its limits ended.
type passed struct {
	what  string
	limit time.Duration
}

func (p *passed) Error() string { return fmt.Sprintf("%s within %v", p.what, p.limit) }

// watch ends a call's context when a limit passes.
type watch struct {
	limits  Limits
	began   atomic.Bool // the answer has begun
	silence *time.Timer
	total   *time.Timer
	cancel  context.CancelCauseFunc
}

func (l Limits) watch(ctx context.Context) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limits: l, cancel: cancel}
	w.silence = time.AfterFunc(l.Load, func() {
		if w.began.Load() {
			cancel(&passed{"no next piece of the answer", l.Idle})
			return
		}
		cancel(&passed{"no answer began", l.Load})
	})
	w.total = time.AfterFunc(l.Total, func() { cancel(&passed{"no end of the answer", l.Total}) })
	return ctx, w
}

// alive notes that a piece of the answer has come.
func (w *watch) alive() {
	w.began.Store(true)
	w.silence.Reset(w.limits.Idle)
}

// stop releases the watch, and ends the call if it is still going on.
func (w *watch) stop() {
	w.silence.Stop()
	w.total.Stop()
	w.cancel(context.Canceled)
}
