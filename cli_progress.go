package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"verge/runner/lab"
)

// progress shows a line while something goes on: on a terminal as one that is redrawn, elsewhere as one more now and then.
type progress struct {
	w        *os.File
	line     func(now time.Time, width int) string // "": nothing to show yet; width: of the terminal, 0: no terminal
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

// eraseLine erases the line that the cursor is in, and all below.
const eraseLine = "\r\x1b[J"

// startProgress shows a run's meter.
func startProgress(w *os.File, m *lab.Meter) *progress {
	return showProgress(w, func(now time.Time, width int) string {
		r := m.Read()
		if r.Stages == 0 {
			return ""
		}
		return runLine(r, now, width)
	})
}

func showProgress(w *os.File, line func(now time.Time, width int) string) *progress {
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
		io.WriteString(p.w, eraseLine)
		p.drawn = false
	}
}

func (p *progress) draw() {
	width := 0
	if p.terminal {
		width = terminalWidth(p.w) - 1 // some terminals wrap when the last column is written
	}
	text := p.line(time.Now(), width)
	if text == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		fmt.Fprintln(p.w, text)
		return
	}
	// The cursor stays at the start of the line: a terminal that gets narrower may break the line into several, and takes the cursor along, so
	// that all of them are below it and erased.
	io.WriteString(p.w, eraseLine+ansi.Truncate(text, width, "")+"\r")
	p.drawn = true
}
