package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/runner/event"
	"verge/tui/edit"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/runscreen"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/session"
)

// open is the workbench on a run's screen, as large as is said, with what lies below it.
func open(t *testing.T, events []event.Event, width, height int) *app {
	t.Helper()
	env := screentest.Env(t, &fixture.Launcher{})
	s := runscreen.New(env, fixture.NewSession(events))
	below := runscreen.New(env, fixture.NewSession(nil))
	a := &app{env: env, stack: []screen.Screen{below, s}, goesOn: func() []string { return nil }}
	a.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return a
}

func press(a *app, names ...string) (last tea.Cmd) {
	for _, name := range names {
		_, last = a.Update(screentest.Key(name))
	}
	return last
}

func TestTheScreenAsDrawn(t *testing.T) {
	for _, size := range screentest.Sizes {
		for _, c := range []struct {
			name string
			keys []string
		}{{"run", nil}, {"run-full", []string{"2", "f"}}, {"help", []string{"?"}}, {"palette", []string{":", "a", "r", "m"}}} {
			a := open(t, fixture.PROPEL(), size[0], size[1])
			press(a, c.keys...)
			view := a.View()
			screentest.Fills(t, view, size[0], size[1])
			screentest.Hold(t, fmt.Sprintf("%s-%dx%d", c.name, size[0], size[1]), view)
		}
	}
}

func TestAScreenThatIsTooSmallSaysWhatItNeeds(t *testing.T) {
	for _, size := range [][2]int{{59, 20}, {60, 19}, {40, 10}, {10, 3}, {1, 1}} {
		a := open(t, fixture.PROPEL(), size[0], size[1])
		view := a.View()
		screentest.Fills(t, view, size[0], size[1])
		if size[0] >= 40 && !strings.Contains(view, fmt.Sprintf("%d × %d", size[0], size[1])) {
			t.Errorf("%v: %q", size, view)
		}
	}
}

func TestNothingThatAModelWroteBreaksTheScreen(t *testing.T) {
	for _, size := range slices.Concat(screentest.Sizes, [][2]int{{61, 21}, {99, 33}, {161, 47}}) {
		a := open(t, fixture.Hostile(), size[0], size[1])
		screentest.Fills(t, a.View(), size[0], size[1])
		for range keys.Panes {
			press(a, "tab")
			screentest.Fills(t, a.View(), size[0], size[1])
			press(a, "f")
			screentest.Fills(t, a.View(), size[0], size[1])
			if cmd := press(a, "enter"); cmd != nil {
				a.Update(cmd())
			}
			screentest.Fills(t, a.View(), size[0], size[1])
			press(a, "a")
			screentest.Fills(t, a.View(), size[0], size[1])
			press(a, "esc", "esc")
		}
	}
}

func TestAResizeIsDrawnAtOnceAndWhole(t *testing.T) {
	a := open(t, fixture.PROPEL(), 200, 60)
	for w, h := 200, 60; w > 0 && h > 0; w, h = w-7, h-2 {
		a.Update(tea.WindowSizeMsg{Width: w, Height: h})
		screentest.Fills(t, a.View(), w, h)
	}
	before := open(t, fixture.PROPEL(), 200, 60).View()
	a.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	if a.View() != before {
		t.Error("after a resize there and back the screen is another")
	}
}

// Every key that help shows does something here, or the footer says why not.
func TestEveryKeyOfARunIsAnswered(t *testing.T) {
	for _, pane := range keys.Panes {
		a := open(t, fixture.PROPEL(), 120, 40)
		press(a, paneKey(t, pane))
		scopes := a.top().Scopes()
		for _, b := range keys.Bindings.Of(append(scopes, keys.App)...) {
			for _, key := range b.Keys {
				a := open(t, fixture.PROPEL(), 120, 40)
				press(a, paneKey(t, pane))
				if action, ok := keys.Bindings.Find(key, append(a.top().Scopes(), keys.App)...); !ok || action != b.Action {
					t.Errorf("%s: key %q asks for %q, not %q", pane, key, action, b.Action)
				}
				press(a, key)
				screentest.Fills(t, a.View(), 120, 40)
			}
		}
	}
}

func TestTheFooterSaysWhatAKeyDoesNow(t *testing.T) {
	run := &steerable{fixture.NewSession(fixture.PROPEL())}
	env := screentest.Env(t, &fixture.Launcher{})
	a := &app{env: env, stack: []screen.Screen{runscreen.New(env, run)}, goesOn: func() []string { return nil }}
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	for state, want := range map[session.State]string{session.Running: "space pause", session.Paused: "space go on"} {
		run.State = state
		if view := a.View(); !strings.Contains(view, want) {
			t.Errorf("%s: the footer does not say %q:\n%s", state, want, view)
		}
	}
}

// steerable is a run that refuses nothing.
type steerable struct{ *fixture.Session }

func (s *steerable) Control() session.Control      { return s }
func (s *steerable) Refusal(session.Action) string { return "" }

func paneKey(t *testing.T, pane string) string {
	t.Helper()
	b, ok := keys.Bindings.Key(keys.Action(keys.PanePrefix+pane), keys.Run)
	if !ok {
		t.Fatalf("no key focuses pane %s", pane)
	}
	return b.Keys[0]
}

func TestWhatIsTypedFastIsReadAsWhatItIs(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("9:step up")})
	p, typing := a.over.(*palette)
	if !typing || p.line.Value() != "step up" || p.at != 0 {
		t.Fatalf("9, then : and a text: %+v", a.over)
	}
	press(a, "esc")
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/up")})
	if view := a.View(); !strings.Contains(view, "/ up") {
		t.Errorf("a search that is typed at once:\n%s", view)
	}
}

func TestEscapeAndAKeyThatComeAtOnceAreBoth(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	press(a, "f", "9", "enter")
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("?"), Alt: true})
	if _, helps := a.over.(*help); !helps {
		t.Error("the key after Escape is lost")
	}
	a.Update(tea.KeyMsg{Type: tea.KeyEscape, Alt: true})
	if a.over != nil {
		t.Error("the first Escape does not close help")
	}
	if view := a.View(); strings.Count(view, "╔")+strings.Count(view, "╭") < 2 {
		t.Errorf("the second Escape does not leave the full screen:\n%s", view)
	}
}

func TestATerminalThatDoesNotKnowItsSizeIsTakenToHaveTheUsualOne(t *testing.T) {
	a := open(t, fixture.PROPEL(), 0, 0)
	screentest.Fills(t, a.View(), 80, 24)
}

func TestWhatIsSaidIsReadWhole(t *testing.T) {
	for _, size := range screentest.Sizes {
		a := open(t, fixture.PROPEL(), size[0], size[1])
		said := "store: annotate the run runs/20261129-120000-quick-0001: attempt to write a readonly database (8): change its permissions, copy the run, or name another folder with --out"
		a.Update(screen.Say{Text: said, Bad: true})
		view := a.View()
		screentest.Fills(t, view, size[0], size[1])
		if words := strings.Join(strings.Fields(view), " "); !strings.Contains(words, said) {
			t.Errorf("%v: it is not read:\n%s", size, view)
		}
		a.Update(screen.Say{Text: strings.Join(fixture.HostileTexts(), "\n"), Bad: true})
		screentest.Fills(t, a.View(), size[0], size[1])
	}
}

// stopped is a run that was stopped by what its status says.
type stopped struct {
	*fixture.Session
	why string
}

func (s stopped) Status() session.Status {
	return session.Status{Run: "run", State: session.Interrupted, Error: s.why}
}

func TestWhatToDoAboutARunThatWasStoppedIsReadWhole(t *testing.T) {
	for _, size := range screentest.Sizes {
		a := open(t, fixture.PROPEL(), size[0], size[1])
		run := stopped{fixture.NewSession(fixture.PROPEL()), "store: write runs/20261129-120000-quick-0001/run.db: database or disk is full (13): the disk is full, or a quota or a limit on the size of files (ulimit -f) is reached: free some space, then start the run or resume it"}
		a.stack = []screen.Screen{runscreen.New(a.env, run)}
		view := a.View()
		screentest.Fills(t, view, size[0], size[1])
		if words := strings.Join(strings.Fields(view), " "); !strings.Contains(words, run.why) {
			t.Errorf("%v: it is not read:\n%s", size, view)
		}
	}
}

func TestLeavingAsksWhileARunGoesOn(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	a.goesOn = func() []string { return []string{"runs/one", "runs/sweep-two"} }
	if cmd := press(a, "q"); cmd != nil {
		t.Fatal("the workbench is left without a question")
	}
	for _, want := range []string{"runs/one", "runs/sweep-two", "verge run --resume", "verge sweep"} {
		if !strings.Contains(a.View(), want) {
			t.Errorf("the question does not say %q:\n%s", want, a.View())
		}
	}
	if cmd := press(a, "n"); cmd != nil || a.over != nil {
		t.Error("n does not stay")
	}
	cmd := press(a, "q", "y")
	if cmd == nil {
		t.Fatal("y does not leave")
	}
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("y does not leave")
	}
}

func TestAnActionThatCannotBeCarriedOutSaysWhy(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	press(a, " ")
	if !strings.Contains(a.View(), "the run has ended") {
		t.Errorf("the footer does not say why the run cannot be paused:\n%s", a.View())
	}
}

func TestThePaletteCarriesOutWhatItFinds(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	press(a, ":", "d", "i", "v", "e", "r", "enter")
	if a.over != nil {
		t.Fatal("the palette stays")
	}
	if view := a.View(); !strings.Contains(view, "▸6 diversity") {
		t.Errorf("the palette did not focus the pane:\n%s", view)
	}
}

// Keys that come faster than the program reads arrive as one message.
func TestKeysThatArriveTogetherAreKeysEach(t *testing.T) {
	a := open(t, fixture.PROPEL(), 120, 40)
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("2f9")})
	if view := a.View(); !strings.Contains(view, "▸9 tasks") || strings.Contains(view, "pipeline ·") {
		t.Errorf("after 2, f and 9:\n%s", view)
	}
}

// What was started is listed on the first screen, so that is what Escape leads to, not to the values that it was started with.
func TestOneEscapeLeadsFromAStartedRunToTheFirstScreen(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	first := a.stack[0]
	p, err := profiles.Load("quick", nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Update(screen.Go{Screen: edit.New(a.env, "quick", p)})
	press(a, "/")
	for _, r := range "policy.kl" {
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	press(a, "enter", "enter", "ctrl+u", "1", "enter")
	a.Update(press(a, "s")())
	if a.top().Title() != "run" || len(a.stack) != 2 {
		t.Fatalf("%q is on top of %d screens", a.top().Title(), len(a.stack)-1)
	}
	press(a, "esc")
	if a.top() != first {
		t.Errorf("Escape leads to %q", a.top().Title())
	}
}

func TestThemesAreChangedInTurn(t *testing.T) {
	a := open(t, fixture.PROPEL(), 80, 24)
	seen := map[string]bool{}
	for range 4 {
		press(a, "t")
		seen[a.env.Theme.Name] = true
	}
	if len(seen) != 4 {
		t.Errorf("t goes through %v", seen)
	}
}

func BenchmarkFrame(b *testing.B) {
	env := screentest.Env(b, &fixture.Launcher{})
	s := fixture.NewSession(fixture.PROPEL())
	a := &app{env: env, stack: []screen.Screen{runscreen.New(env, s)}, goesOn: func() []string { return nil }}
	a.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	b.Run("idle", func(b *testing.B) {
		for b.Loop() {
			a.View()
		}
	})
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			press(a, "tab") // every pane is drawn again
			a.View()
		}
	})
}
