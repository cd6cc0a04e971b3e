package home_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/runner/store"
	"verge/tui/figure"
	"verge/tui/fixture"
	"verge/tui/home"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// open is home over some runs and sweeps, in a working directory of its own.
func open(t *testing.T, runs *fixture.Folder, l *fixture.Launcher) *screentest.App {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := fixture.WriteProfiles("."); err != nil {
		t.Fatal(err)
	}
	return screentest.New(t, home.New(screentest.Env(t, l), runs, nil))
}

func full(t *testing.T) (*screentest.App, *fixture.Folder, *fixture.Launcher) {
	runs, l := &fixture.Folder{Runs: fixture.Runs()}, &fixture.Launcher{Timed: true, States: fixture.Sweeps()}
	return open(t, runs, l), runs, l
}

func TestGolden(t *testing.T) {
	t.Run("first", func(t *testing.T) { // nothing has been run yet
		a := open(t, &fixture.Folder{}, &fixture.Launcher{})
		a.Golden("first")
		a.Press("tab")
		a.Golden("no-runs")
		a.Press("tab")
		a.Golden("no-sweeps")
	})
	t.Run("full", func(t *testing.T) {
		a, _, _ := full(t)
		a.Golden("profiles")
		a.Press("S")
		a.Golden("grid")
		a.Press("esc")
		a.Press("tab", "down")
		a.Golden("runs")
		a.Press("m", "down", "o")
		a.Golden("marked")
		a.Press("D")
		a.Golden("delete")
		a.Press("n", "T")
		a.Golden("tags")
		a.Press("esc", "/")
		a.Type("quick")
		a.Golden("filter")
		a.Press("enter", "tab")
		a.Golden("sweeps")
		a.Press("D")
		a.Golden("delete-sweep")
	})
	t.Run("carried", func(t *testing.T) {
		a, runs, l := full(t)
		runs.Runs = slices.Concat([]store.RunInfo{runs.Runs[0], runs.Runs[0]}, runs.Runs[1:])
		runs.Runs[1].Run, runs.Runs[1].Dir, runs.Runs[1].Seed = "20261129-155900-quick-0005", "runs/served", 5
		l.Carried = []screen.Standing{
			{Dir: runs.Runs[0].Dir, State: session.Paused, Progress: session.Progress{Arm: "base", Stage: "corpus", Done: 1200, Total: 4096}},
			{Dir: "runs/served", State: session.Running, Away: "The server at http://localhost:11434 went away; the run waits for it."},
		}
		a.Tick()
		a.Press("tab")
		a.Golden("carried")
	})
	t.Run("failing", func(t *testing.T) {
		runs := &fixture.Folder{Runs: fixture.Runs()[:2], Problems: []error{errors.New("store: read the run runs/old: file is not a database: the file is no run of Verge, or it is damaged")}}
		l := &fixture.Launcher{}
		l.Refuse(errors.New("store: list the runs in runs: permission denied"))
		a := open(t, runs, l)
		if err := os.WriteFile("mine.toml", []byte("[policy]\nkll = 0.1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		a.Tick()
		a.Press("end")
		a.Golden("wrong-profile")
		a.Press("tab", "end")
		a.Golden("problem")
	})
	t.Run("page", func(t *testing.T) {
		a, _, _ := full(t)
		a.Press("home", "enter")
		a.Golden("page")
	})
}

func TestHostileTextStaysInTheBox(t *testing.T) {
	l := &fixture.Launcher{States: append(fixture.Sweeps(), fixture.HostileSweep())}
	a := open(t, fixture.HostileFolder(), l)
	for range 2 {
		for _, key := range []string{"tab", "end", "up", "up", "home"} {
			a.Press(key)
			a.AnySize()
		}
	}
	a.Press("tab", "tab", "o", "home", "down", "down", "down") // by state: a failed one
	for _, keys := range [][]string{{"D"}, {"n", "T"}, {"enter"}, {"esc", "m", "/"}} {
		a.Press(keys...)
		a.AnySize()
	}
	l.Refuse(errors.New(fixture.HostileTexts()[0] + strings.Repeat(" and more", 500)))
	a.Tick()
	a.AnySize()
}

// What a store cannot tell of a run comes from those who carry it out, as soon as it is so.
func TestARunIsListedAsItStandsHere(t *testing.T) {
	a, runs, l := full(t)
	a.Press("tab")
	for _, c := range []struct {
		standing []screen.Standing
		want     string
	}{
		{[]screen.Standing{{Dir: runs.Runs[0].Dir, State: session.Paused}}, "paused"},
		{[]screen.Standing{{Dir: runs.Runs[0].Dir, State: session.Running, Away: "gone"}}, "waits for a server"},
		{[]screen.Standing{{Dir: runs.Runs[0].Dir, State: session.Stopping}}, "stopping"},
		{[]screen.Standing{{Dir: "runs/another", State: session.Paused}}, "running"},
		{nil, "running"},
	} {
		l.Carried = c.standing
		a.Tick()
		if drawn := a.Draw(80, 22); !strings.Contains(drawn, c.want) || c.want == "running" && strings.Contains(drawn, "paused") {
			t.Errorf("%+v: %q is not shown:\n%s", c.standing, c.want, drawn)
		}
	}
	l.Carried = []screen.Standing{{Dir: runs.Runs[0].Dir, State: session.Paused}}
	a.Tick()
	a.Press("/")
	a.Type("paused")
	if drawn := a.Draw(80, 22); !strings.Contains(drawn, "runs 1/5") {
		t.Errorf("no filter finds it by its state:\n%s", drawn)
	}
}

func TestASweepThatCannotBeReadIsListedWithTheReason(t *testing.T) {
	a := open(t, &fixture.Folder{}, &fixture.Launcher{States: []screen.SweepState{{SweepInfo: screen.SweepInfo{Dir: "runs/sweep-x", Name: "sweep-x", Problem: "sweep.json: not written by verge"}}}})
	a.Press("tab", "tab")
	if shown := a.Draw(120, 37); !strings.Contains(shown, theme.Broken+"  sweep-x") || strings.Contains(shown, "0/0") {
		t.Errorf("it is not shown as what it is:\n%s", shown)
	}
	a.Press("enter")
	if said := a.Said(); len(said) != 1 || said[0] != "sweep.json: not written by verge" {
		t.Errorf("opening it says %v", said)
	}
}

func TestWhatHasNotBeenReadIsNotCounted(t *testing.T) {
	h := home.New(screentest.Env(t, &fixture.Launcher{}), &fixture.Folder{}, nil)
	if drawn := strings.Join(h.View(80, 22), "\n"); !strings.Contains(drawn, "runs …") || strings.Contains(drawn, "runs 0") {
		t.Errorf("drawn\n%s", drawn)
	}
}

// Every key of the screen either does something or says why not, on every list.
func TestEveryKeyIsAnswered(t *testing.T) {
	for _, list := range keys.Bindings.Of(keys.Home, keys.Scroll) {
		for tabs := range 3 {
			a, runs, l := full(t)
			for range tabs {
				a.Press("tab")
			}
			a.Press("home")
			if !slices.Contains([]keys.Action{keys.Down, keys.PageDown, keys.Bottom}, list.Action) {
				a.Press("down") // so that there is something above
			}
			before := a.Draw(120, 37)
			screen := a.Screen()
			a.Press(list.Keys[0])
			answered := a.Screen() != screen || len(a.Said()) > 0 || len(runs.Calls()) > 0 || len(l.Calls()) > 0 || a.Draw(120, 37) != before
			if !answered {
				t.Errorf("list %d: %s, key %q: nothing happens", tabs, list.Action, list.Keys[0])
			}
		}
	}
}

func TestWhatIsAskedOfTheLauncher(t *testing.T) {
	runs := fixture.Runs()
	for _, c := range []struct {
		name string
		keys []string
		want []string
	}{
		{"start the first profile", []string{"s"}, []string{"start quick"}},
		{"its sweep", []string{"home", "S", "enter"}, []string{"sweep ablate-kl"}},
		{"its sweep from its page", []string{"home", "enter", "S", "enter"}, []string{"sweep ablate-kl"}},
		{"no sweep", []string{"home", "S", "esc"}, nil},
		{"start from its page", []string{"enter", "s"}, []string{"start quick"}},
		{"start from its values", []string{"e", "s"}, []string{"start quick"}},
		{"watch a run", []string{"tab", "enter"}, []string{"watch " + runs[0].Dir}},
		{"replay a run", []string{"tab", "down", "w"}, []string{"replay " + runs[1].Dir}},
		{"resume a failed run", []string{"tab", "down", "down", "r"}, []string{"resume " + runs[2].Dir}},
		{"compare the arms of a run", []string{"tab", "down", "c"}, []string{"watch " + runs[1].Dir}},
		{"compare with a marked run", []string{"tab", "m", "down", "c"}, []string{"watch " + runs[1].Dir, "watch " + runs[0].Dir}},
		{"compare two marked runs", []string{"tab", "m", "down", "m", "down", "c"}, []string{"watch " + runs[1].Dir, "watch " + runs[0].Dir}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _, l := full(t)
			a.Press(c.keys...)
			if got := l.Calls(); !slices.Equal(got, c.want) {
				t.Errorf("asked %q, want %q; said %q", got, c.want, a.Said())
			}
		})
	}
}

func TestRefusalsSayWhy(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want string
	}{
		{"resume a profile", []string{"r"}, "select a run"},
		{"resume a running run", []string{"tab", "r"}, "goes on already"},
		{"resume a run that is done", []string{"tab", "down", "r"}, "nothing to resume"},
		{"delete a running run", []string{"tab", "D"}, "stop it first"},
		{"delete a profile", []string{"D"}, "select a run or a sweep"},
		{"start a run", []string{"tab", "s"}, "select a profile"},
		{"order profiles", []string{"o"}, "listed by their names"},
		{"compare profiles", []string{"c"}, "select a run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _, l := full(t)
			a.Press(c.keys...)
			said := a.Said()
			if len(said) != 1 || !strings.Contains(said[0], c.want) || len(l.Calls()) > 0 {
				t.Errorf("said %q, want %q", said, c.want)
			}
		})
	}
}

func TestAnErrorOfTheLauncherIsSaid(t *testing.T) {
	a, _, l := full(t)
	l.Refuse(errors.New("no model in x.gguf"))
	screen := a.Screen()
	a.Press("s")
	if said := a.Said(); !slices.Equal(said, []string{"no model in x.gguf"}) || a.Screen() != screen {
		t.Errorf("said %q", said)
	}
	// It can be tried again.
	l.Refuse(nil)
	a.Press("s")
	if _, ok := a.Screen().(*screentest.Run); !ok {
		t.Errorf("the run is not shown; said %q", a.Said())
	}
}

func TestDeletionIsAskedAboutFirst(t *testing.T) {
	a, runs, _ := full(t)
	target := fixture.Runs()[1]
	a.Press("tab", "down", "D")
	drawn := a.Draw(200, 57)
	for _, part := range []string{target.Run, "3,412 events", "2.1 MB", target.Headline, "paper keep", target.Note} {
		if !strings.Contains(drawn, part) {
			t.Errorf("the question does not name %q:\n%s", part, drawn)
		}
	}
	a.Press("enter", "x", "n")
	a.Press("D", "esc")
	if calls := runs.Calls(); len(calls) > 0 || a.Screen().Reading() {
		t.Fatalf("without a yes: %q", calls)
	}
	a.Press("D", "y")
	if calls := runs.Calls(); !slices.Equal(calls, []string{"remove " + target.Dir}) {
		t.Errorf("with a yes: %q", calls)
	}
	if drawn := a.Draw(200, 57); strings.Contains(drawn, target.Run) {
		t.Errorf("the run is still listed:\n%s", drawn)
	}
}

func TestASweepIsDeletedWithItsRunsAfterAQuestion(t *testing.T) {
	a, _, l := full(t)
	target := fixture.Sweeps()[1]
	a.Press("tab", "tab", "D")
	if said := a.Said(); len(said) != 1 || !strings.Contains(said[0], "being run") {
		t.Errorf("one that is being run: said %q", said)
	}
	a.Press("down", "D")
	drawn := a.Draw(200, 57)
	for _, part := range []string{"sweep quick?", "12 runs", "25.7 MB", target.Headline, target.Dir} {
		if !strings.Contains(drawn, part) {
			t.Errorf("the question does not name %q:\n%s", part, drawn)
		}
	}
	a.Press("n", "D", "esc")
	if calls := l.Calls(); len(calls) > 0 {
		t.Fatalf("without a yes: %q", calls)
	}
	a.Press("D", "y")
	if calls := l.Calls(); !slices.Equal(calls, []string{"remove " + target.Dir}) {
		t.Errorf("with a yes: %q", calls)
	}
	if said, drawn := a.Said(), a.Draw(200, 57); !slices.Equal(said, []string{"deleted sweep quick"}) || !strings.Contains(drawn, "sweeps 1") {
		t.Errorf("said %q:\n%s", said, drawn)
	}
}

func TestTagsAndNoteAreKept(t *testing.T) {
	a, runs, _ := full(t)
	a.Press("tab", "down", "T", "ctrl+u")
	a.Type("a,b  a 漢")
	a.Press("enter", "ctrl+u")
	a.Type("a note, with a comma")
	a.Press("enter")
	want := `annotate ` + fixture.Runs()[1].Dir + ` ["a" "b" "漢"] "a note, with a comma"`
	if calls := runs.Calls(); !slices.Equal(calls, []string{want}) {
		t.Errorf("got %q, want %q", calls, want)
	}
	runs.Refusal = errors.New("store: disk full")
	a.Said()
	a.Press("T", "enter", "enter")
	if said := a.Said(); !slices.Equal(said, []string{"store: disk full"}) {
		t.Errorf("said %q", said)
	}
}

func TestAnySweepOfAProfileCanBeStarted(t *testing.T) {
	a, _, l := full(t)
	a.Press("S", "enter") // of one run: not entered
	if calls := l.Calls(); len(calls) > 0 || !a.Screen().Reading() {
		t.Fatalf("asked %q", calls)
	}
	a.Press("ctrl+u")
	a.Type("policy.kl=0,0.1; seeds=2")
	if drawn := a.Draw(80, 22); !strings.Contains(drawn, "4 runs: 2 of policy.kl × 2 seeds") {
		t.Errorf("its size is not shown:\n%s", drawn)
	}
	a.Press("enter")
	if calls := l.Calls(); !slices.Equal(calls, []string{"sweep quick"}) || a.Screen().Title() != "sweep quick" {
		t.Errorf("asked %q, on top is %q", calls, a.Screen().Title())
	}
}

func TestAClickSelectsWhatItIsOn(t *testing.T) {
	for _, size := range screentest.Sizes {
		a, _, l := full(t)
		a.Press("tab")
		lines := strings.Split(a.Draw(size[0], size[1]-2), "\n")
		y := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "quick-0002") })
		click := tea.MouseMsg{X: 4, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
		a.Screen().Receive(click)
		a.Press("r")
		if got, want := l.Calls(), []string{"resume " + fixture.Runs()[3].Dir}; !slices.Equal(got, want) {
			t.Errorf("%v: asked %q, want %q", size, got, want)
		}
		a.Press("esc")
		a.Screen().Receive(tea.MouseMsg{X: 4, Y: y, Button: tea.MouseButtonWheelUp})
		a.Press("r")
		if got, want := l.Calls(), []string{"resume " + fixture.Runs()[2].Dir}; !slices.Equal(got, want) {
			t.Errorf("%v: after the wheel: asked %q, want %q", size, got, want)
		}
		a.Press("esc")
		if at := strings.Index(lines[0], "sweeps 2"); at >= 0 { // the names of the lists are in one line
			a.Screen().Receive(tea.MouseMsg{X: text.Width(lines[0][:at]), Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
			if drawn := a.Draw(size[0], size[1]-2); !strings.Contains(drawn, "▸ sweeps 2") {
				t.Errorf("%v: the sweeps are not shown:\n%s", size, drawn)
			}
		}
		if y := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "ablate-kl.toml") }); y >= 0 {
			click.Y = y
			a.Screen().Receive(click)
			a.Press("s")
			if got := l.Calls(); !slices.Equal(got, []string{"start ablate-kl"}) {
				t.Errorf("%v: in another list: asked %q", size, got)
			}
		}
	}
}

func TestAClickDoesNotSelectAnotherRunThanThatWhichIsAskedAbout(t *testing.T) {
	a, _, _ := full(t)
	a.Press("tab", "down", "D")
	asked := a.Draw(80, 22)
	y := slices.IndexFunc(strings.Split(asked, "\n"), func(s string) bool { return strings.Contains(s, "quick-0002") })
	a.Screen().Receive(tea.MouseMsg{X: 4, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	if drawn := a.Draw(80, 22); y < 0 || drawn != asked {
		t.Errorf("clicked in line %d while a question is asked:\n%s", y, drawn)
	}
}

// The run that was just started is what Escape leads back to.
func TestWhatWasStartedIsSelectedOnceItIsListed(t *testing.T) {
	a, runs, l := full(t)
	begun := fixture.NewSession(fixture.PROPEL())
	l.Session = begun
	a.Press("e", "s")
	runs.Runs = slices.Concat(runs.Runs[:1], []store.RunInfo{{Run: "begun", Dir: begun.Status().Dir, State: store.Interrupted, Started: fixture.Now()}}, runs.Runs[1:])
	a.Press("esc")
	a.Tick()
	l.Calls()
	a.Press("r")
	if got := l.Calls(); !slices.Equal(got, []string{"resume " + begun.Status().Dir}) {
		t.Errorf("asked %q, said %q", got, a.Said())
	}
}

func TestARunIsSelectedByItsFolderOnceItIsListed(t *testing.T) {
	h := home.New(screentest.Env(t, &fixture.Launcher{}), &fixture.Folder{Runs: fixture.Runs()}, nil)
	h.Select(fixture.Runs()[3].Dir)
	if drawn := screentest.New(t, h).Draw(80, 22); !strings.Contains(drawn, "▸ runs 5") || !strings.Contains(drawn, "▸ ◐") {
		t.Errorf("drawn\n%s", drawn)
	}
}

// The list changes under the cursor; the run that was selected stays so.
func TestTheSelectedRunStaysSelectedWhenTheListChanges(t *testing.T) {
	a, runs, l := full(t)
	a.Press("tab", "down", "down", "down") // the interrupted run
	all := fixture.Runs()
	runs.Runs = slices.Concat([]store.RunInfo{{Run: "new", Dir: "runs/new", State: store.Done, Started: fixture.Now()}}, all[1:])
	a.Tick()
	a.Press("r")
	if got := l.Calls(); !slices.Equal(got, []string{"resume " + all[3].Dir}) {
		t.Errorf("asked %q", got)
	}
}

func TestRunsAreFilteredAndOrdered(t *testing.T) {
	a, _, l := full(t)
	all := fixture.Runs()
	a.Press("tab", "/")
	a.Type("LESSON")
	a.Press("enter", "r")
	if got := l.Calls(); !slices.Equal(got, []string{"resume " + all[3].Dir}) {
		t.Errorf("filtered by a tag: %q", got)
	}
	a.Press("esc", "esc", "home", "o", "down", "r") // from the run back to home, all shown again, by state: running, failed
	if got := l.Calls(); !slices.Equal(got, []string{"resume " + all[2].Dir}) {
		t.Errorf("ordered by state: %q; said %q", got, a.Said())
	}
	a.Press("esc", "o", "home", "w") // by headline: the highest share first
	if got := l.Calls(); !slices.Equal(got, []string{"replay " + all[4].Dir}) {
		t.Errorf("ordered by headline: %q", got)
	}
}

func TestTheOrderByHeadlineIsThatOfItsFigure(t *testing.T) {
	runs := &fixture.Folder{Runs: fixture.Runs()}
	runs.Runs[4].Headline = "propel in band 1.0 %" // as it would be read
	l := &fixture.Launcher{}
	a := open(t, runs, l)
	a.Press("tab", "o", "o", "home", "w")
	if got := l.Calls(); !slices.Equal(got, []string{"replay " + runs.Runs[4].Dir}) {
		t.Errorf("ordered by headline: %q", got)
	}
}

// What a run takes is read from all that are stored: once, and again when there are more.
func TestCostsAreWorkedOutOnceAndWhenThereAreMoreRuns(t *testing.T) {
	l := &counting{Launcher: &fixture.Launcher{Timed: true}, asked: map[string]int{}}
	runs := &fixture.Folder{Runs: fixture.Runs()}
	t.Chdir(t.TempDir())
	if err := fixture.WriteProfiles("."); err != nil {
		t.Fatal(err)
	}
	a := screentest.New(t, home.New(screentest.Env(t, l), runs, nil))
	expect := func(n int) {
		t.Helper()
		for _, name := range []string{"quick", "ablate-kl", "propel-math"} {
			if l.asked[name] != n {
				t.Errorf("%s: asked %d times, not %d", name, l.asked[name], n)
			}
		}
	}
	for range 5 {
		a.Tick()
	}
	expect(1)
	runs.Runs = append(slices.Clone(runs.Runs), store.RunInfo{Run: "more", Dir: "runs/more", State: store.Done})
	for range 5 {
		a.Tick()
	}
	expect(2)
}

type counting struct {
	*fixture.Launcher
	asked map[string]int
}

func (l *counting) Cost(p *profiles.Profile) figure.Cost {
	l.asked[p.Name]++
	return l.Launcher.Cost(p)
}

func TestProfilesThatShipAreListed(t *testing.T) {
	t.Chdir(t.TempDir())
	var names []string
	for _, p := range profiles.List() {
		names = append(names, p.Name)
	}
	a := screentest.New(t, home.New(screentest.Env(t, &fixture.Launcher{}), &fixture.Folder{}, names))
	drawn := a.Draw(120, 57)
	for _, name := range names {
		if !strings.Contains(drawn, name) {
			t.Errorf("%s is not listed:\n%s", name, drawn)
		}
	}
}

func TestRunsOnDisk(t *testing.T) {
	out := t.TempDir()
	w, err := store.Create(out, store.Header{Profile: "quick", Recipe: "propel", Domain: "math", Seed: 7, Started: fixture.Now()})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range fixture.PROPEL() {
		if _, err := w.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	runs := home.Folder(out)
	events, bytes, err := runs.Size(w.Dir())
	if err != nil || events != int64(len(fixture.PROPEL())) || bytes == 0 {
		t.Errorf("%d events, %d bytes, %v", events, bytes, err)
	}
	if err := runs.Annotate(w.Dir(), []string{"tag"}, "note"); err != nil {
		t.Error(err)
	}
	list, problems, err := runs.List()
	if err != nil || len(problems) > 0 || len(list) != 1 || list[0].Note != "note" || !slices.Equal(list[0].Tags, []string{"tag"}) {
		t.Errorf("%+v, %v, %v", list, problems, err)
	}
	if err := runs.Remove(w.Dir()); err != nil {
		t.Error(err)
	}
	if list, _, _ := runs.List(); len(list) > 0 {
		t.Errorf("still there: %+v", list)
	}
	if _, _, err := runs.Size(w.Dir()); err == nil {
		t.Error("a run that is gone has a size")
	}
}
