// Package work carries out what takes a while in commands of Bubble Tea, so that a key is answered meanwhile.
package work

import (
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Poll reads something again and again: one reading at a time, not more often than Every, and never for more than about a tenth of the
// time.
type Poll[T any] struct {
	Every time.Duration

	began   time.Time // of the last reading
	took    time.Duration
	waiting bool
	soon    bool
	number  int // of the last reading
}

// reading is what a command brings.
type reading[T any] struct {
	poll   *Poll[T]
	number int
	value  T
	took   time.Duration
}

// share is how much longer than a reading takes the next one has to wait.
const share = 10

// patience is how many times Every a reading is waited for before it counts as lost: a message may go to a screen that has been left.
const patience = 30

// Tick is the command that reads once more, nil when that is not due yet.
func (p *Poll[T]) Tick(now time.Time, read func() T) tea.Cmd {
	since := now.Sub(p.began)
	if p.waiting && since < patience*p.Every {
		return nil
	}
	if !p.began.IsZero() && !p.soon && since < max(p.Every, share*p.took) {
		return nil
	}
	p.began, p.waiting, p.soon = now, true, false
	p.number++
	number := p.number
	return func() tea.Msg {
		start := time.Now()
		value := read()
		return reading[T]{p, number, value, time.Since(start)}
	}
}

// Soon makes the next reading due at once: something has changed.
func (p *Poll[T]) Soon() { p.soon = true }

// Take is the reading that a message brings; false of any other message, and of a reading that another one has overtaken.
func (p *Poll[T]) Take(msg tea.Msg) (value T, ok bool) {
	r, ok := msg.(reading[T])
	if !ok || r.poll != p || r.number != p.number {
		return value, false
	}
	p.waiting, p.took = false, r.took
	return r.value, true
}

// One is a request that takes a while, of which a screen makes one at a time. Its zero value is at rest.
type One struct{ now *request }

type request struct {
	what string
	over atomic.Bool // carried out, or given up
}

// Ask is the command that carries out a request; what says in words what it does. The message that it brings is dropped when the request
// has been given up before.
func (o *One) Ask(what string, carryOut func() tea.Msg) tea.Cmd {
	r := &request{what: what}
	o.now = r
	return func() tea.Msg {
		msg := carryOut()
		if r.over.Swap(true) {
			return nil
		}
		return msg
	}
}

// Doing says what is being carried out; "" when nothing is.
func (o *One) Doing() string {
	if o.now == nil || o.now.over.Load() {
		return ""
	}
	return o.now.what
}

// GiveUp drops what is being carried out, if anything is: false when nothing was.
func (o *One) GiveUp() bool { return o.now != nil && !o.now.over.Swap(true) }
