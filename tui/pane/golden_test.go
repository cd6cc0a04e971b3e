package pane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/pane"
	"verge/tui/runscreen"
	"verge/tui/screentest"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// A pane's drawing is what it was when somebody last looked at it. go test ./tui/pane -run TestGolden/NAME -update writes the drawings of
// one pane anew.
func TestGolden(t *testing.T) {
	c := context(t, fixture.PROPEL(), "propel")
	for _, p := range runscreen.Panes() {
		t.Run(p.Name(), func(t *testing.T) {
			golden(t, p.Name(), p, c)
		})
	}
}

// A policy that is trained here and sampled by a server has a figure of its own, and its name there.
func TestGoldenOfAServedPolicy(t *testing.T) {
	events := fixture.PROPEL()
	const tag = "verge-20261129-120000-quick-0001:generator"
	for i, e := range events {
		switch e := e.(type) {
		case event.RunStarted:
			e.Provenance.Models[0].Served = &event.Served{Server: "0.17.4", Tag: tag, Context: 512}
		case event.PolicyUpdated:
			if e.Step > 1 { // the base is not sent
				gap := 0.0008 + 0.0001*float64(e.Step%4)
				e.Gap = &gap
				events[i] = e
			}
		}
	}
	last := len(events) - 1
	events = slices.Insert(events, last, event.Event(event.BackendNoticed{Kind: "loaded", Model: tag, Loads: 12, Seconds: 14, Placement: &event.Placement{Context: 512, Size: 4 << 20}}))
	c := context(t, events, "propel")
	for _, p := range runscreen.Panes() {
		if p.Name() == "policy" || p.Name() == "roles" {
			golden(t, p.Name()+"-served", p, c)
		}
	}
}

// golden holds what a pane draws to the drawings of a name: alone on a screen, between header and footer and inside its border, and as one of
// ten on a screen of 120 × 40.
func golden(t *testing.T, name string, p pane.Pane, c pane.Context) {
	t.Helper()
	draw := func(size string, width, height int) {
		drawing := text.Box(p.View(c, width, height), width, height)
		screentest.Fills(t, drawing, width, height)
		screentest.Hold(t, name+"-"+size, drawing)
	}
	for _, s := range screentest.Sizes {
		draw(fmt.Sprintf("%dx%d", s[0], s[1]), s[0]-2, s[1]-4)
	}
	draw("tile", 58, 6)
}

// Whatever models and profiles wrote, and however small the box, a drawing stays in it and steers nothing.
func TestHostileTextStaysInTheBox(t *testing.T) {
	hostile := fixture.Hostile()
	for _, stream := range [][]event.Event{nil, hostile[:1], hostile} {
		arm := ""
		if len(stream) > 0 {
			arm = stream[0].(event.RunStarted).Arms[1]
		}
		c := context(t, stream, arm)
		for _, p := range runscreen.Panes() {
			t.Run(fmt.Sprintf("%s/%d events", p.Name(), len(stream)), func(t *testing.T) {
				if title := p.Title(c); title != text.Safe(title) {
					t.Errorf("title %q is not safe", title)
				}
				for _, width := range []int{1, 2, 5, 10, 19, 20, 33, 58, 80, 118, 198} {
					for _, height := range []int{1, 2, 3, 4, 6, 10, 16, 22, 36, 58} {
						screentest.Fills(t, text.Box(p.View(c, width, height), width, height), width, height)
					}
				}
			})
		}
	}
}

// Before anything has happened, and while it happens, every pane has something to say, in every theme.
func TestEveryPaneSaysSomethingAtAnyTime(t *testing.T) {
	events := fixture.PROPEL()
	for n := 0; n < len(events); n += 199 {
		arm := ""
		if n > 0 {
			arm = "propel"
		}
		c := context(t, events[:n], arm)
		for _, p := range runscreen.Panes() {
			lines := p.View(c, 58, 16)
			if strings.TrimSpace(strings.Join(lines, "")) == "" {
				t.Errorf("%s is empty after %d events", p.Name(), n)
			}
		}
	}
}

// BenchmarkView draws every pane alone on a large screen, in colours.
func BenchmarkView(b *testing.B) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	c := context(b, fixture.PROPEL(), "propel")
	for _, p := range runscreen.Panes() {
		b.Run(p.Name(), func(b *testing.B) {
			for b.Loop() {
				p.View(c, 198, 56)
			}
		})
	}
}

func context(t testing.TB, events []event.Event, arm string) pane.Context {
	t.Helper()
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	s := fixture.NewSession(events)
	return pane.Context{
		Snapshot: s.Board(), Status: s.Status(), Theme: look, Arm: arm, Focused: true,
		Detail: func(task board.Task) (session.Detail, error) { return s.Detail(task.Key) },
	}
}
