package lab

import (
	"context"
	"fmt"
	"math"

	"verge/runner/backend"
	"verge/runner/event"
)

// conversation is dialogues that are led side by side with one model, and whose results are emitted in the dialogues' order: at the end, or
// of a model that takes long over each reply as soon as those before are complete, so that a run that is killed has lost little.
type conversation struct {
	lab    *Lab
	model  backend.Model
	params backend.Params
	what   string // that is asked for, in the plural
	open   []*dialogue
	// result is what dialogue i has come to, and why it came to nothing, if it did. It is called once for each, in order.
	result func(i int) ([]event.Event, error)

	next   int           // the first dialogue whose result is still to come
	held   []event.Event // of errors that nothing but errors came after
	errors int
}

// TooManyErrors is the error of a batch in which more calls came to nothing than the profile allows: its figures would be those of the
// calls that happened to succeed. What succeeded before them is stored, and a run that ends with it can be resumed.
type TooManyErrors struct {
	Model, What   string
	Failed, Calls int
	Limit         float64
	Last          error
}

func (e *TooManyErrors) Error() string {
	return fmt.Sprintf("%d of %d %s asked of %s came to nothing, which is more than run.max_errors = %g allows; the last because of: %v; mend that and resume the run, which asks again for what is missing",
		e.Failed, e.Calls, e.What, e.Model, e.Limit, e.Last)
}

// Unwrap is why the last call came to nothing.
func (e *TooManyErrors) Unwrap() error { return e.Last }

// lead brings all dialogues to their ends, each round's turns in one call.
func (c *conversation) lead(ctx context.Context) error {
	for _, d := range c.open {
		if !d.ended { // not recalled
			d.advance()
		}
	}
	for turn := 0; ; turn++ {
		requests, members := c.requests(turn)
		if len(requests) == 0 {
			return c.emit(true)
		}
		if err := c.ask(ctx, requests, members); err != nil {
			return err
		}
	}
}

// requests are those of a round, and the dialogues that each one's replies go to. Neighbours with the same prompt share one request, so that
// a task's prompt is read once for all its attempts.
func (c *conversation) requests(turn int) (requests []backend.Request, members [][]*dialogue) {
	last := ""
	for _, d := range c.open {
		if d.ended {
			continue
		}
		text := d.prompt.String()
		if len(requests) == 0 || text != last {
			requests = append(requests, backend.Request{Prompt: d.prompt, Params: c.params})
			members = append(members, nil)
			last = text
		}
		at := len(requests) - 1
		requests[at].Seeds = append(requests[at].Seeds, d.seed(turn))
		members[at] = append(members[at], d)
	}
	return requests, members
}

func (c *conversation) ask(ctx context.Context, requests []backend.Request, members [][]*dialogue) error {
	if s, ok := c.model.(backend.Streamer); ok {
		return c.stream(ctx, s, requests, members)
	}
	replies, err := c.model.Sample(ctx, requests, c.lab.Meter.add)
	if err != nil {
		return err
	}
	for i, row := range replies {
		for j, reply := range row {
			members[i][j].add(reply)
		}
	}
	return nil
}

// stream emits while replies come. All is emitted by the caller's goroutine: as long as that is held, nobody takes the replies, and the
// model asks for no more of them.
func (c *conversation) stream(ctx context.Context, s backend.Streamer, requests []backend.Request, members [][]*dialogue) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type arrival struct {
		of    *dialogue
		reply backend.Reply
	}
	arrivals, ended := make(chan arrival), make(chan error, 1)
	go func() {
		ended <- s.Stream(ctx, requests, func(i, j int, r backend.Reply) { arrivals <- arrival{members[i][j], r} })
		close(arrivals)
	}()
	var err error
	for a := range arrivals { // to the end, so that the model is not left waiting
		if err != nil {
			continue
		}
		a.of.add(a.reply)
		c.lab.Meter.add(1, a.reply.Generated())
		if err = c.emit(false); err != nil {
			cancel()
		}
	}
	if err != nil {
		return err
	}
	return <-ended
}

// emit emits the results up to the first dialogue that has not ended. Errors wait for a success after them: where a model stops answering,
// nothing is stored of its silence, and a resumed run asks again.
func (c *conversation) emit(last bool) error {
	var out []event.Event
	var err error
	for c.next < len(c.open) && c.open[c.next].ended && err == nil {
		events, failed := c.result(c.next)
		c.next++
		if failed == nil {
			out, c.held = append(append(out, c.held...), events...), nil
			continue
		}
		if c.errors++; c.errors > c.allowed() {
			err = &TooManyErrors{c.model.Identity().Name, c.what, c.errors, len(c.open), c.lab.MaxErrors, failed}
		}
		c.held = append(c.held, events...)
	}
	if last && err == nil {
		out = append(out, c.held...)
	}
	if len(out) == 0 {
		return err
	}
	if e := c.lab.Emit(out...); e != nil {
		return e
	}
	return err
}

// allowed is how many of the calls may come to nothing: the share, rounded up, so that one of a few does not end the run.
func (c *conversation) allowed() int {
	const rounding = 1e-9 // of the product of a decimal
	return int(math.Ceil(c.lab.MaxErrors*float64(len(c.open)) - rounding))
}
