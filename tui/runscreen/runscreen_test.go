package runscreen_test

import (
	"fmt"
	"strings"
	"testing"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/runscreen"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/session"
)

// going is a run that goes on, and can be paused.
type going struct {
	*fixture.Session
	board board.Board
}

func (g *going) Board() *board.Snapshot         { return g.board.Snapshot() }
func (g *going) Control() session.Control       { return g }
func (g *going) Refusal(session.Action) string  { return "" }
func (g *going) Do(a session.Action, n float64) { g.apply(fixture.PROPEL()[g.board.Snapshot().Events]) }
func (g *going) Status() session.Status         { return session.Status{State: session.Running} }
func (g *going) apply(events ...event.Event) {
	for _, e := range events {
		if err := g.board.Apply(e); err != nil {
			panic(err)
		}
	}
}

// A key is answered by drawing what it changes; what the run has done meanwhile comes with the next tick, or with a key that steers it.
func TestAKeyIsAnsweredFromWhatWasSeen(t *testing.T) {
	run := &going{Session: fixture.NewSession(nil)}
	run.apply(fixture.PROPEL()[:50]...)
	s := runscreen.New(screentest.Env(t, &fixture.Launcher{}), run)
	s.Do(keys.Action(keys.PanePrefix + "tasks"))
	sees := func(want string) {
		t.Helper()
		if view := strings.Join(s.View(200, 58), "\n"); !strings.Contains(view, want) {
			t.Errorf("%q is not seen:\n%s", want, view)
		}
	}
	tasks := func() string { return fmt.Sprintf("%d tasks ·", run.board.Snapshot().Tasks.Len()) }
	before := tasks()
	sees(before)
	run.apply(fixture.PROPEL()[50:200]...)
	s.Do(keys.Sort)
	sees(before + " all arms · highest probe score first")
	s.Receive(screen.Tick(fixture.Now()))
	before = tasks()
	sees(before)
	s.Do(keys.Down)
	run.apply(fixture.PROPEL()[200:300]...)
	sees(before)
	s.Do(keys.PauseResume)
	sees(tasks())
}

// While a corpus is collected, the arm that is looked at is one that it is collected for, whose pipeline begins with it.
func TestACorpusIsShownWhileItIsCollected(t *testing.T) {
	run := &going{Session: fixture.NewSession(nil)}
	run.apply(fixture.PROPEL()[:50]...)
	s := runscreen.New(screentest.Env(t, &fixture.Launcher{}), run)
	view := strings.Join(s.View(80, 22), "\n")
	for _, want := range []string{"arm propel", "pipeline · propel · propel", "▶ collect"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not seen:\n%s", want, view)
		}
	}
	s.Do(keys.NextArm)
	if view := strings.Join(s.View(80, 22), "\n"); !strings.Contains(view, "arm base") {
		t.Errorf("the other arm is not looked at:\n%s", view)
	}
}
