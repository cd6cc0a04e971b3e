package ollama

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Retries of a server that is up and will not serve: a cap on their number and on the pause before each.
const (
	maxRetries = 6
	firstPause = 250 * time.Millisecond
	longPause  = 8 * time.Second
)

// maxAsked bounds how often one sample is asked when the server goes away each time it is: the sample may be the reason.
const maxAsked = 3

// pingLimit bounds one look whether the server is there.
const pingLimit = 5 * time.Second

// backoff is the pause before retry n = 0, 1, …: a random part, at least a half, of a time that doubles up to a cap. Without the
// randomness all callers that were refused together would come back together.
func backoff(n int) time.Duration {
	d := min(firstPause<<min(n, 10), longPause)
	return d/2 + rand.N(d/2)
}

// sleep waits, or is cut short by the context.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return cancelled(ctx)
	}
}

// cancelled is the error of a call whose context has ended, or nil.
func cancelled(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	return &CallError{Outcome: Cancelled, Text: cause.Error(), Err: cause}
}

// outage is how calls wait for a server that went away: one of them looks, the others wait for its turn to end.
type outage struct {
	limit time.Duration
	turn  *semaphore.Weighted // of the one that looks, and of since
	since time.Time           // zero while the server is there
	seen  atomic.Int64        // when it was last found away, in ns since 1970
}

// after says whether the server was found away since a time: a call that began before may have been cut by that, even if the server is
// back by the time it is noticed.
func (o *outage) after(t time.Time) bool { return o.seen.Load() >= t.UnixNano() }

// UnreachableError is a server that does not answer. A run that ends with it can be resumed.
type UnreachableError struct {
	Host   string
	Waited time.Duration
	Err    error
}

func (e *UnreachableError) Error() string {
	waited := ""
	if e.Waited > 0 {
		waited = fmt.Sprintf(" for %v", e.Waited.Round(time.Second))
	}
	return fmt.Sprintf("no Ollama server answers at %s%s (%v); start it with: ollama serve (to install it: https://ollama.com/download), or name another with OLLAMA_HOST",
		e.Host, waited, e.Err)
}

// Unwrap is the last error of connecting.
func (e *UnreachableError) Unwrap() error { return e.Err }

// await returns when the server answers again, or with an UnreachableError when it has been away longer than the outage limit.
func (c *Client) await(ctx context.Context, cause error) error {
	o := &c.outage
	if err := cancelled(ctx); err != nil {
		return err
	}
	if o.limit == 0 {
		return &UnreachableError{Host: c.url.String(), Err: cause}
	}
	if err := o.turn.Acquire(ctx, 1); err != nil {
		return cancelled(ctx)
	}
	defer o.turn.Release(1)
	for n := 0; ; n++ {
		err := c.ping(ctx)
		if err == nil {
			if !o.since.IsZero() {
				took := time.Since(o.since)
				o.since = time.Time{}
				c.notify(Notice{Kind: Resumed, Text: fmt.Sprintf("the server at %s is back", c.url), Took: took})
			}
			return nil
		}
		o.seen.Store(time.Now().UnixNano())
		if o.since.IsZero() {
			o.since = time.Now()
			c.http.CloseIdleConnections() // they lead to a process that is gone
			c.notify(Notice{Kind: Paused, Text: fmt.Sprintf("the server at %s went away (%v); calls wait up to %v for it", c.url, cause, o.limit)})
		}
		away := time.Since(o.since)
		if away >= o.limit {
			return &UnreachableError{Host: c.url.String(), Waited: away, Err: err}
		}
		if err := sleep(ctx, min(backoff(n), o.limit-away)); err != nil {
			return err
		}
	}
}

// ping asks the server for its version.
func (c *Client) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, pingLimit, &passed{"no answer", pingLimit})
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url.JoinPath("/api/version").String(), nil)
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return broken(ctx, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxErrorText))
	if answer.StatusCode >= http.StatusBadRequest {
		return refusal(answer.StatusCode, text)
	}
	return err
}

// safely makes one call that changes nothing on the server, so that it can be made again: after status 503, and after the server was
// away, be it that it refused the connection or that it broke one and is gone. An answer that was cut while the server stayed is an
// error. A call that the server went away under is made again alone: if it is the reason, it takes no other with it the next time.
//
// A call holds one of the client's slots while it talks to the server, none while it waits.
func (c *Client) safely(ctx context.Context, call func() error) error {
	full, refused, asked := 0, 0, 0
	slots := 1
	for {
		if err := c.slots.Acquire(ctx, int64(slots)); err != nil {
			return cancelled(ctx)
		}
		began := time.Now()
		err := call()
		c.slots.Release(int64(slots))
		switch outcomeOf(err) {
		case QueueFull:
			if full == maxRetries {
				return err
			}
			if e := sleep(ctx, backoff(full)); e != nil {
				return e
			}
			full++
		case Refused:
			if e := c.await(ctx, err); e != nil {
				return e
			}
			// Who answers a look and refuses the call, a proxy perhaps, is there and will not serve.
			if refused == maxRetries {
				return err
			}
			if e := sleep(ctx, backoff(refused)); e != nil {
				return e
			}
			refused++
		case StreamCut:
			if asked++; asked == maxAsked || !c.outage.after(began) && c.ping(ctx) == nil {
				return err
			}
			if e := c.await(ctx, err); e != nil {
				return e
			}
			slots = c.workers
		default:
			return err
		}
	}
}
