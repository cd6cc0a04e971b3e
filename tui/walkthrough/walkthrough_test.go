package walkthrough

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/session"
	"verge/tui/text"
)

// led is a session that remembers how it was led.
type led struct {
	*fixture.Session
	passes func(event.Event) bool
}

func (l *led) Guide(passes func(event.Event) bool) { l.passes = passes }

// running is a run that can be stopped.
type running struct {
	led
	stopped bool
}

func (r *running) Control() session.Control       { return r }
func (r *running) Refusal(session.Action) string  { return "" }
func (r *running) Do(a session.Action, _ float64) { r.stopped = r.stopped || a == session.Stop }

func open(t *testing.T) (*Screen, *screen.Env, *led) {
	t.Helper()
	run := &led{Session: fixture.NewSession(fixture.PROPEL())}
	env := screentest.Env(t, &fixture.Launcher{Session: run})
	env.Out = t.TempDir()
	s, err := Open(env, propel())
	if err != nil {
		t.Fatal(err)
	}
	return s, env, run
}

func TestThePagesAsDrawnOnAProjector(t *testing.T) {
	s, _, _ := open(t)
	a := screentest.New(t, s)
	for page := 1; ; page++ {
		for beat := range 3 {
			name := fmt.Sprintf("page-%02d-%d", page, beat+1)
			screentest.Hold(t, name, a.Draw(80, 22))
			for _, line := range s.View(80, 22) {
				if strings.HasSuffix(strings.TrimRight(line, " "), text.Ellipsis) && !strings.Contains(line, "the ") {
					t.Errorf("%s: a line is cut: %q", name, line)
				}
			}
			a.AnySize()
			if beat < 2 {
				a.Press("right")
			}
		}
		if s.last() {
			break
		}
		a.Press("right")
		if s.state.Page != page {
			t.Fatalf("after page %d comes page %d", page, s.state.Page+1)
		}
	}
	if why := s.Refusal(keys.Next); why == "" {
		t.Error("there is a page after the last")
	}
}

// A class looks at the rows while the answer is read out. Charts are drawn lower then, and lists keep their end.
func TestAnAnswerLeavesEveryRowOfATable(t *testing.T) {
	s, _, _ := open(t)
	a := screentest.New(t, s)
	for !s.last() {
		shown := s.View(80, 22)
		a.Press("right", "right")
		if slices.Contains([]int{1, 6, 7, 8}, s.state.Page+1) {
			answered := s.View(80, 22)
			for _, line := range shown[:slices.IndexFunc(shown, func(line string) bool { return strings.Contains(line, "───") })] {
				if !slices.Contains(answered, line) {
					t.Errorf("page %d: the answer hides %q", s.state.Page+1, line)
				}
			}
		}
		a.Press("right")
	}
}

// batched is a run's events as the engine makes them: a stage's proposals together, then their attempts.
func batched(events []event.Event) []event.Event {
	var out, attempts []event.Event
	for _, e := range events {
		if graded, ok := e.(event.AttemptGraded); ok {
			attempts = append(attempts, graded)
			continue
		}
		switch e.(type) {
		case event.TaskProposed, event.TaskValidated, event.ProbeScored:
		default:
			out, attempts = append(out, attempts...), nil
		}
		out = append(out, e)
	}
	return out
}

// The pages show what the run has come to, so that it has to be held in the order of the pages.
func TestARunsEventsAreInTheOrderOfThePages(t *testing.T) {
	phase := propelPhase()
	last := opening
	seen := map[int]bool{}
	for i, e := range batched(fixture.PROPEL()) {
		now := phase(e)
		if now < last {
			t.Fatalf("event %d, %s, belongs to part %d, after one of part %d", i+1, e.Name(), now, last)
		}
		last = now
		seen[now] = true
	}
	for part := opening; part <= evaluated; part++ {
		if !seen[part] {
			t.Errorf("nothing belongs to part %d", part)
		}
	}
	pages := propel().pages
	if !slices.IsSortedFunc(pages, func(a, b page) int { return a.phase - b.phase }) {
		t.Error("a page lets less of the run pass than one before it")
	}
}

func TestARunIsHeldBeforeWhatALaterPageShows(t *testing.T) {
	s, _, run := open(t)
	a := screentest.New(t, s)
	passed := func() int {
		for i, e := range batched(fixture.PROPEL()) {
			if !run.passes(e) {
				return i
			}
		}
		return len(fixture.PROPEL())
	}
	before := passed()
	if before == 0 || before > 3 {
		t.Errorf("the first page lets %d events pass", before)
	}
	for range 2 {
		for range 3 {
			a.Press("right")
		}
		if now := passed(); now <= before {
			t.Errorf("page %d lets %d events pass, the one before it %d", s.state.Page+1, now, before)
		} else {
			before = now
		}
	}
}

func TestAWalkGoesOnWhereItWasLeft(t *testing.T) {
	s, env, run := open(t)
	a := screentest.New(t, s)
	a.Press("right", "right", "right", "right", "right", "right")
	// Its run is there to be taken up.
	dir := filepath.Join(env.Out, s.state.Run)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := load(env.Out, "propel")
	if err != nil || again.Page != 2 || again.Run != filepath.Base(run.Status().Dir) {
		t.Fatalf("%+v, %v", again, err)
	}
	// Without its run it begins anew.
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	fresh, err := Open(env, propel())
	if err != nil || fresh.state.Page != 0 {
		t.Errorf("page %d, %v", fresh.state.Page+1, err)
	}
	if err := os.WriteFile(filepath.Join(env.Out, "walkthrough-propel.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(env, propel()); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a broken file: %v", err)
	}
}

func TestTheEndsAreBegunWhenTheWalksRunHasEnded(t *testing.T) {
	s, env, _ := open(t)
	launcher := env.Launcher.(*fixture.Launcher)
	a := screentest.New(t, s)
	for !s.page().ends {
		a.Press("right", "right", "right")
	}
	launcher.Calls()
	a.Tick()
	a.Tick()
	if len(s.ends.runs) != len(bothEnds) {
		t.Errorf("%d runs at the ends; asked for %q", len(s.ends.runs), launcher.Calls())
	}
}

// However often and fast a walk is begun anew, one run is left of it that goes on.
func TestAWalkThatIsBegunAnewStopsItsRuns(t *testing.T) {
	s, env, _ := open(t)
	fake := env.Launcher.(*fixture.Launcher)
	begin := func() *running {
		r := &running{led: led{Session: fixture.NewSession(fixture.PROPEL())}}
		fake.Session = r
		return r
	}
	for !s.page().ends {
		s.state.Page++
	}
	end := begin()
	s.Receive(s.startEnds()())
	late := begin()
	left := s.startEnds()()
	again := begin()
	first := s.restart()()
	last := begin()
	second := s.restart()()
	for _, msg := range []tea.Msg{first, second, left} {
		s.Receive(msg)
	}
	if !end.stopped || !late.stopped || !again.stopped || last.stopped || s.run != last || len(s.ends.runs) > 0 {
		t.Errorf("stopped: %v, %v, %v, %v; runs beside it: %d", end.stopped, late.stopped, again.stopped, last.stopped, len(s.ends.runs))
	}
}

// partly is a run of which some events have come.
func partly(t *testing.T, n int) (*Screen, *screentest.App) {
	t.Helper()
	run := &running{led: led{Session: fixture.NewSession(fixture.PROPEL()[:n])}}
	env := screentest.Env(t, &fixture.Launcher{Session: run})
	env.Out = t.TempDir()
	s, err := Open(env, propel())
	if err != nil {
		t.Fatal(err)
	}
	return s, screentest.New(t, s)
}

func TestAttemptsAreShownWithTheirAnswersAndGradings(t *testing.T) {
	s, a := partly(t, 40)
	for s.page().phase != firstAttempts {
		a.Press("right", "right", "right")
	}
	rows := attemptedRows(view{Snapshot: s.run.Board()}, 1)
	for _, width := range []int{60, 80, 120} {
		shown := strings.Join(strings.Fields(a.Draw(width, 30)), " ")
		d, err := s.run.Detail(rows[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, attempt := range d.Attempts {
			want := fmt.Sprintf("%d ✓ %s right", attempt.Attempt+1, attempt.Grading.Answer.Text)
			if attempt.Grading.Verdict == domains.Wrong {
				want = fmt.Sprintf("%d ✗ %s wrong: the", attempt.Attempt+1, attempt.Grading.Answer.Text)
			}
			if !strings.Contains(shown, want) {
				t.Errorf("%q is not shown in %d cells: %s", want, width, shown)
			}
		}
		if want := "exact value " + d.Validated.Task.Oracle.Text; !strings.Contains(shown, want) {
			t.Errorf("%q is not shown in %d cells: %s", want, width, shown)
		}
	}
}

// A key stands in the footer where it does something.
func TestAStepIsOfferedWhereItBringsARow(t *testing.T) {
	for n, want := range map[int][]int{40: {2, 3, 4}, len(fixture.PROPEL()): nil} {
		s, a := partly(t, n)
		var got []int
		for {
			if s.Refusal(keys.StepProposal) == "" {
				got = append(got, s.state.Page+1)
			}
			if s.last() {
				break
			}
			a.Press("right", "right", "right")
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %d events a step is offered on pages %v, want %v", n, got, want)
		}
	}
}

func TestAWrongRecipeIsRefusedWithThoseThereAre(t *testing.T) {
	if _, err := Find("soar"); err == nil || !strings.Contains(err.Error(), "propel") {
		t.Errorf("%v", err)
	}
}

var _ session.Guided = (*led)(nil)
