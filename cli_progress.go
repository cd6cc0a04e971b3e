package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"verge/runner/lab"
)

// progress shows a line while something goes on: on a terminal as one that is redrawn, elsewhere as one more now and then.
type progress struct {
	w        *os.File
	line     func(now time.Time, bar int) string // "": nothing to show yet; bar is as in progressLine
	terminal bool
	mu       sync.Mutex
	drawn    bool
	quit     chan struct{}
	done     sync.WaitGroup
}

const (
	redrawEvery = 200 * time.Millisecond
	lineEvery   = 10 * time.Second
)

// startProgress shows a run's meter.
func startProgress(w *os.File, m *lab.Meter) *progress {
	return showProgress(w, func(now time.Time, bar int) string {
		r := m.Read()
		if r.Stages == 0 {
			return ""
		}
		return progressLine(r, now, bar)
	})
}

func showProgress(w *os.File, line func(now time.Time, bar int) string) *progress {
	p := &progress{w: w, line: line, terminal: term.IsTerminal(int(w.Fd())) && os.Getenv("TERM") != "dumb", quit: make(chan struct{})}
	every := lineEvery
	if p.terminal {
		every = redrawEvery
	}
	p.done.Add(1)
	go func() {
		defer p.done.Done()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-p.quit:
				return
			case <-tick.C:
				p.draw()
			}
		}
	}()
	return p
}

// say prints a line of its own above the bar.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	fmt.Fprintln(p.w, text)
}

func (p *progress) stop() {
	close(p.quit)
	p.done.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

func (p *progress) wipe() {
	if p.drawn {
		io.WriteString(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) draw() {
	bar := 0
	if p.terminal {
		bar = 20
	}
	text := p.line(time.Now(), bar)
	if text == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		fmt.Fprintln(p.w, text)
		return
	}
	width, _, err := term.GetSize(int(p.w.Fd()))
	if err != nil || width == 0 { // some terminals do not know theirs
		width = 80
	}
	line := []rune(text)
	// One column is left free: some terminals wrap when the last is written.
	io.WriteString(p.w, "\r\x1b[K"+string(line[:min(len(line), max(0, width-1))]))
	p.drawn = true
}

// progressLine is a reading in one line: stage, how far, rate, time left. bar is the width of a bar, 0 for none.
func progressLine(r lab.Reading, now time.Time, bar int) string {
	name := r.Arm
	if r.Stage != r.Arm {
		name += " " + r.Stage
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s ", name)
	if bar > 0 {
		full := 0
		if r.Total > 0 {
			full = min(bar, bar*r.Done/r.Total)
		}
		b.WriteString("[" + strings.Repeat("#", full) + strings.Repeat("-", bar-full) + "] ")
	}
	fmt.Fprintf(&b, "%d/%d %s", r.Done, r.Total, r.Unit)
	spent := now.Sub(r.Began)
	if spent > 0 && r.Tokens > 0 {
		fmt.Fprintf(&b, "  %.0f tokens/s", float64(r.Tokens)/spent.Seconds())
	}
	if r.Done > 0 && r.Done < r.Total {
		left := time.Duration(float64(spent) / float64(r.Done) * float64(r.Total-r.Done))
		fmt.Fprintf(&b, "  %s left", left.Round(time.Second))
	}
	return b.String()
}

func isUTF8(locale string) bool {
	l := strings.ToLower(locale)
	return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
}
