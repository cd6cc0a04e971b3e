package edit

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/session"
)

// sections are some keys of the schema in words of their own, so that drawings do not change with the reference.
var sections = []profiles.Section{
	{Keys: []profiles.Key{{Name: "title", Meaning: "What a list of profiles shows.", Default: `""`}}},
	{Name: "run", Keys: []profiles.Key{
		{Name: "run.seed", Meaning: "Everything random is drawn from it. Allowed: 0 to 9223372036854775807.", Default: "1"},
		{Name: "run.arms", Meaning: "Variants that are compared. Of propel:\n  \"base\"   the generator as it is\n  \"propel\" rewarded by the probe", Default: `["base", "propel"]`},
	}},
	{Name: "target", Keys: []profiles.Key{
		{Name: "target.attempts", Meaning: "Attempts at a task. Allowed: 1 to 64.", Default: "8"},
		{Name: "target.low", Meaning: "Lowest solve rate in the band. Allowed: 0 to 1.", Default: `"1/8"`},
		{Name: "target.high", Meaning: "Highest solve rate in the band. Allowed: 0 to 1.", Default: `"3/8"`},
	}},
	{Name: "policy", Keys: []profiles.Key{
		{Name: "policy.estimator", Meaning: "Estimator of the policy gradient. Allowed: \"grpo\", \"rloo\".", Default: `"grpo"`},
		{Name: "policy.group", Meaning: "Proposals whose rewards are compared. Allowed: 2 to 1024.", Default: "8"},
		{Name: "policy.proposals", Meaning: "Proposals of one step, a multiple of group.", Default: "64"},
		{Name: "policy.kl", Meaning: "Weight of the KL to the frozen generator, per token (PROPEL). Allowed: 0 to 100.", Default: "0.1"},
	}},
	{Name: "sweep", Keys: []profiles.Key{{Name: "sweep.seeds", Meaning: "Repeats of every combination.", Default: "1"}}},
}

func open(t *testing.T, sections []profiles.Section) (*screentest.App, *launcher) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := fixture.WriteProfiles("."); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load("quick.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &launcher{Launcher: &fixture.Launcher{Timed: true}}
	return screentest.New(t, newEdit(screentest.Env(t, l), "quick.toml", p, sections)), l
}

// launcher keeps the profiles that are started.
type launcher struct {
	*fixture.Launcher
	started []*profiles.Profile
}

func (l *launcher) Start(p *profiles.Profile) (session.Session, error) {
	l.started = append(l.started, p)
	return l.Launcher.Start(p)
}

func (l *launcher) StartSweep(p *profiles.Profile) (string, error) {
	l.started = append(l.started, p)
	return l.Launcher.StartSweep(p)
}

// set types a value for a key that a filter finds.
func set(a *screentest.App, key, value string) {
	a.Press("/", "ctrl+u")
	a.Type(key)
	a.Press("enter", "home", "enter", "ctrl+u")
	a.Paste(value)
	a.Press("enter", "esc")
}

func TestGolden(t *testing.T) {
	a, _ := open(t, sections)
	a.Golden("unchanged")
	set(a, "policy.kl", "0.05")
	a.Golden("changed")
	a.Press("end", "up", "enter", "ctrl+u")
	a.Type("a lot")
	a.Golden("wrong")
	a.Press("esc", "/")
	a.Type("band")
	a.Golden("filter")
}

func TestRunsAreStartedWithTheValues(t *testing.T) {
	a, l := open(t, profiles.Sections())
	set(a, "policy.kl", "0.05")
	set(a, "run.arms", "base,propel-wco")
	set(a, "target.low", "1/4")
	if drawn := a.Draw(200, 57); !strings.Contains(drawn, "verge run quick.toml --set policy.kl=0.05 --set run.arms=base,propel-wco --set target.low=1/4") {
		t.Errorf("the command line is not shown:\n%s", drawn)
	}
	a.Press("s")
	if len(l.started) != 1 {
		t.Fatalf("not started: %q", a.Said())
	}
	want, err := profiles.Load("quick.toml", []string{"policy.kl=0.05", "run.arms=base,propel-wco", "target.low=1/4"})
	if err != nil {
		t.Fatal(err)
	}
	if l.started[0].Hash() != want.Hash() {
		t.Errorf("started\n%s\nwant\n%s", l.started[0].Resolved(), want.Resolved())
	}
}

func TestWhatIsWrongIsSaidWhileItIsTypedAndNothingIsStartedWithIt(t *testing.T) {
	a, l := open(t, profiles.Sections())
	a.Press("/")
	a.Type("policy.kl")
	a.Press("enter", "enter", "ctrl+u")
	for typed, problem := range map[string]string{"x": "not a number", "-1": "out of range", "200": "out of range", "": "not a number"} {
		a.Press("ctrl+u")
		a.Type(typed)
		if drawn := a.Draw(120, 37); !strings.Contains(drawn, problem) || !strings.Contains(drawn, "1 wrong") {
			t.Errorf("policy.kl = %s: the problem is not shown:\n%s", typed, drawn)
		}
	}
	a.Press("enter", "s")
	if said := a.Said(); len(l.started) > 0 || len(said) != 1 || !strings.Contains(said[0], "policy.kl") {
		t.Errorf("started %d, said %q", len(l.started), said)
	}
	a.Press("u", "s")
	if len(l.started) != 1 {
		t.Errorf("reset, and still not started: %q", a.Said())
	}
}

// Two keys that do not go together blame the one that was changed last.
func TestARelationBetweenKeysIsChecked(t *testing.T) {
	a, _ := open(t, profiles.Sections())
	set(a, "policy.proposals", "65")
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "policy.proposals: ") || !strings.Contains(drawn, "multiple of") {
		t.Errorf("not shown:\n%s", drawn)
	}
	set(a, "policy.group", "5")
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "2 changed. ") {
		t.Errorf("still wrong:\n%s", drawn)
	}
}

func TestResetting(t *testing.T) {
	a, _ := open(t, sections)
	set(a, "policy.kl", "0.05")
	set(a, "run.seed", "7")
	a.Press("u") // the selected key is the last that was set
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "1 changed.") || strings.Contains(drawn, "--set run.seed") {
		t.Errorf("one is not reset:\n%s", drawn)
	}
	set(a, "run.seed", "8")
	a.Press("U")
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "Nothing changed.") || strings.Contains(drawn, "--set") {
		t.Errorf("not all are reset:\n%s", drawn)
	}
	// The profile's own value, typed, is no change.
	set(a, "policy.kl", "0.1")
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "Nothing changed.") {
		t.Errorf("a value that is the profile's counts as changed:\n%s", drawn)
	}
}

func TestEscapeDropsChangesOnlyWhenPressedTwice(t *testing.T) {
	a, _ := open(t, sections)
	e := a.Screen().(*Edit)
	set(a, "policy.kl", "0.05")
	if !e.Back() {
		t.Fatal("the first Escape leaves")
	}
	if drawn := a.Draw(80, 21); !strings.Contains(drawn, "Esc once more") {
		t.Errorf("no question:\n%s", drawn)
	}
	if e.Back() {
		t.Error("the second Escape stays")
	}
}

func TestASweepIsStartedWithTheValues(t *testing.T) {
	a, l := open(t, sections)
	set(a, "run.seed", "7")
	a.Press("S", "enter") // one run is no sweep
	if len(l.started) > 0 {
		t.Fatal("one run was started as a sweep")
	}
	a.Press("ctrl+u")
	a.Type("policy.kl=0.1,0.2; seeds=3")
	a.Golden("grid")
	a.Press("enter")
	if len(l.started) != 1 || a.Screen().Title() != "sweep quick" {
		t.Fatalf("not started: %q", a.Said())
	}
	if p := l.started[0]; p.Run.Seed != 7 || p.Sweep.Seeds.Count != 3 || len(p.Sweep.Axes) != 1 {
		t.Errorf("started with %+v of seed %d", p.Sweep, p.Run.Seed)
	}
}

func TestAClickSelectsTheKeyThatItIsOn(t *testing.T) {
	for _, size := range screentest.Sizes {
		a, _ := open(t, sections)
		lines := strings.Split(a.Draw(size[0], size[1]-2), "\n")
		y := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "     low") })
		a.Screen().Receive(tea.MouseMsg{X: 4, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		if drawn := a.Draw(size[0], size[1]-2); !strings.Contains(drawn, "target.low = 1/8") {
			t.Errorf("%v:\n%s", size, drawn)
		}
	}
}

func TestEveryKeyIsAnswered(t *testing.T) {
	for _, b := range keys.Bindings.Of(keys.Values, keys.Scroll) {
		a, _ := open(t, sections)
		set(a, "policy.kl", "0.05")
		top := a.Screen()
		if slices.Contains([]keys.Action{keys.Down, keys.PageDown, keys.Bottom}, b.Action) {
			a.Press("home")
		}
		before := a.Draw(120, 17)
		a.Press(b.Keys[0])
		if len(a.Said()) == 0 && a.Screen() == top && a.Draw(120, 17) == before {
			t.Errorf("%s, key %q: nothing happens", b.Action, b.Keys[0])
		}
	}
}

// A file that is changed for the worse while it is looked at is no reason to lose what was typed.
func TestAProfileThatGoesWrongMeanwhile(t *testing.T) {
	a, _ := open(t, sections)
	if err := os.WriteFile("quick.toml", []byte("title = 3\n["), 0o644); err != nil {
		t.Fatal(err)
	}
	set(a, "policy.kl", "0.05")
	a.AnySize()
	a.Press("s")
	if said := a.Said(); len(said) != 1 || !strings.Contains(said[0], "quick.toml:2") {
		t.Errorf("said %q", said)
	}
}

func TestHostileTextStaysInTheBox(t *testing.T) {
	a, l := open(t, profiles.Sections())
	for _, s := range fixture.HostileTexts() {
		set(a, "title", s)
		a.AnySize()
	}
	l.Refuse(errors.New(fixture.HostileTexts()[0]))
	a.Press("U", "s")
	a.AnySize()
}

func TestArgumentsAreQuotedForAShell(t *testing.T) {
	for arg, want := range map[string]string{"policy.kl=0.05": "policy.kl=0.05", "": "''", "title=a b": "'title=a b'", "a'b": `'a'\''b'`, "$(rm)": "'$(rm)'"} {
		if got := quote(arg); got != want {
			t.Errorf("%s: %s, want %s", arg, got, want)
		}
	}
}

var _ screen.Launcher = (*launcher)(nil)
