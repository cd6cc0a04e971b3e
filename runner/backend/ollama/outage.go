package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/ollama/ollama/api"
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
	turn  *semaphore.Weighted // of the one that looks; it guards the rest
	since time.Time           // when the server was first found away; zero while it is there
	until time.Time           // when it was last found to be away, or to be back after that
}

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
	cause := e.Err
	var op *net.OpError
	if errors.As(cause, &op) {
		cause = op // what is around it names the host again
	}
	return fmt.Sprintf("no Ollama server answers at %s%s (%v); start it with: ollama serve (to install it: https://ollama.com/download), or name another with OLLAMA_HOST or the role's host",
		e.Host, waited, cause)
}

// Unwrap is the last error of connecting.
func (e *UnreachableError) Unwrap() error { return e.Err }

// await returns when the server answers, or with an UnreachableError when it has been away longer than the outage limit. was says that
// it was away at some time since a call began, which may be what cut the call, even if it was back before anybody looked for this one.
func (c *Client) await(ctx context.Context, began time.Time, cause error) (was bool, err error) {
	o := &c.outage
	if err := o.turn.Acquire(ctx, 1); err != nil {
		return false, cancelled(ctx)
	}
	defer o.turn.Release(1)
	for n := 0; ; n++ {
		err := c.ping(ctx)
		if e := cancelled(ctx); e != nil {
			return false, e
		}
		now := time.Now()
		if err == nil {
			if !o.since.IsZero() {
				if o.limit > 0 {
					c.notify(Notice{Kind: Resumed, Text: fmt.Sprintf("the server at %s is back", c.url), Took: now.Sub(o.since)})
				}
				o.since, o.until = time.Time{}, now
			}
			return !o.until.Before(began), nil
		}
		c.pool.renew() // before the time is noted: what begins after it uses new connections
		o.until = time.Now()
		if o.since.IsZero() {
			o.since = now
			if o.limit > 0 {
				c.notify(Notice{Kind: Paused, Text: fmt.Sprintf("the server at %s went away (%v); calls wait up to %v for it", c.url, cause, o.limit)})
			}
		}
		away := now.Sub(o.since)
		if away >= o.limit {
			return true, &UnreachableError{Host: c.url.String(), Waited: away, Err: err}
		}
		if err := sleep(ctx, min(backoff(n), o.limit-away)); err != nil {
			return true, err
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
	answer, err := c.pool.alone(r)
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

// Safely makes a call of another client of the server that can be made again with the same result: like the calls of models, it is made again
// where the server is busy, and waits for one that went away.
func (c *Client) Safely(ctx context.Context, call func(context.Context) error) error {
	return c.safely(ctx, func() error {
		err := call(ctx)
		var exchange *url.Error
		var status api.StatusError
		if errors.As(err, &exchange) || errors.As(err, &status) || dialling(err) {
			return translate(ctx, err)
		}
		return err
	})
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
			if _, e := c.await(ctx, began, err); e != nil {
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
			was, e := c.await(ctx, began, err)
			if e != nil {
				return e
			}
			if asked++; asked == maxAsked || !was {
				return err
			}
			slots = c.workers
		default:
			return err
		}
	}
}
