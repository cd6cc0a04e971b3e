package profiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const swept = `extends = "quick"
run.seed = 4

[sweep]
seeds = 3

[sweep.axes]
"probe.pooling" = ["mean", "last"]
policy.kl = [0, 0.02]
target = { low = ["1/8", 0.25] }
`

func mustParse(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := Parse("f.toml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func axesOf(p *Profile) map[string][]any {
	m := map[string][]any{}
	for _, a := range p.Sweep.Axes {
		m[a.Key] = a.Values
	}
	return m
}

func TestSweepKeepsTheOrderOfItsAxes(t *testing.T) {
	p := mustParse(t, swept)
	want := []Axis{{Key: "probe.pooling", Values: []any{"mean", "last"}}, {Key: "policy.kl", Values: []any{int64(0), 0.02}}, {Key: "target.low", Values: []any{"1/8", 0.25}}}
	if diff := cmp.Diff(want, p.Sweep.Axes, cmpopts.IgnoreUnexported(Axis{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{4, 5, 6}, p.Sweep.Seeds.From(p.Run.Seed)); diff != "" {
		t.Error(diff)
	}
	inline := mustParse(t, `sweep = { seeds = [9, 2], axes = { "policy.kl" = [1], "policy.group" = [8, 4], "policy.clip" = [2] } }`)
	var keys []string
	for _, a := range inline.Sweep.Axes {
		keys = append(keys, a.Key)
	}
	if diff := cmp.Diff([]string{"policy.kl", "policy.group", "policy.clip"}, keys); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{9, 2}, inline.Sweep.Seeds.From(1)); diff != "" {
		t.Error(diff)
	}
}

func TestSweepOfAnExtendedProfileIsMerged(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.toml"), []byte(swept), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Parse(filepath.Join(dir, "g.toml"), "extends = \"f.toml\"\n[sweep.axes]\n\"policy.steps\" = [5]\n\"policy.kl\" = [1]", []string{"sweep.seeds=7,8"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]any{"probe.pooling": {"mean", "last"}, "policy.kl": {int64(1)}, "target.low": {"1/8", 0.25}, "policy.steps": {int64(5)}}
	if diff := cmp.Diff(want, axesOf(p)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{7, 8}, p.Sweep.Seeds.From(1)); diff != "" {
		t.Error(diff)
	}
}

func TestAxesOfTheCommandLineReplaceOrAdd(t *testing.T) {
	p, err := mustParse(t, swept).ForSweep([]string{"policy.kl=0,0.1,0.3", "probe.layer=auto,2", "roles.solver.style=direct,steps", "probe.l2=[1],[1,10]", "policy.steps=5"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]any{"probe.pooling": {"mean", "last"}, "policy.kl": {int64(0), 0.1, 0.3}, "target.low": {"1/8", 0.25}, "probe.layer": {"auto", int64(2)},
		"roles.solver.style": {"direct", "steps"}, "probe.l2": {[]any{int64(1)}, []any{int64(1), int64(10)}}, "policy.steps": {int64(5)}}
	if diff := cmp.Diff(want, axesOf(p)); diff != "" {
		t.Error(diff)
	}
	if p.Sweep.Axes[1].Key != "policy.kl" {
		t.Errorf("a replaced axis moved: %v", p.Sweep.Axes)
	}
}

func TestACellIsTheProfileOfOneRun(t *testing.T) {
	p := mustParse(t, swept)
	cell, err := p.Cell([]any{"last", 0.02, "1/8"}, 6)
	if err != nil {
		t.Fatal(err)
	}
	same := mustLoad(t, "quick", "run.seed=6", "target.low=0.125", "policy.kl=2e-2", "probe.pooling=last")
	if cell.Hash() != same.Hash() {
		t.Errorf("the cell is\n%s\nand the run it stands for\n%s", cell.Resolved(), same.Resolved())
	}
	if strings.Contains(cell.Resolved(), "sweep") {
		t.Errorf("a cell's profile holds the sweep:\n%s", cell.Resolved())
	}
	if _, err := p.Cell([]any{"last", 0.02, 0.25}, 6); err != nil {
		t.Error(err)
	}
	groups := mustParse(t, "\n[sweep.axes]\n\"policy.group\" = [8, 7]")
	_, err = groups.Cell([]any{int64(7)}, 1)
	checkErrors(t, "values that do not go together", err,
		"f.toml:3: policy.group = 7: 64 proposals are no whole number of groups of 7; nearest are policy.proposals 63 and 70")
}

func TestBadSweeps(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[sweep.axes]\n\n\"policy.kll\" = [1]", "f.toml:3: sweep.axes.policy.kll = [1]: unknown key; nearest is policy.kl"},
		{"[sweep.axes]\npolicy.kll = [1]", "f.toml:2: sweep.axes.policy.kll = [1]: unknown key; nearest is policy.kl"},
		{"[sweep.axes]\n\"policy.kl\" = [0, -1]", "f.toml:2: sweep.axes.policy.kl = [0, -1]: value 2, -1: out of range; allowed: 0 to 100"},
		{"[sweep.axes]\n\"policy.kl\" = ['a']", `f.toml:2: sweep.axes.policy.kl = ["a"]: value 1, "a": not a number; allowed: 0 to 100`},
		{"[sweep.axes]\n\"policy.kl\" = [0, 0.0]", "f.toml:2: sweep.axes.policy.kl = [0, 0.0]: value 2, 0.0, is there already; take one of them out"},
		{"[sweep.axes]\n\"policy.kl\" = 1", "f.toml:2: sweep.axes.policy.kl = 1: not a list of values; write at least one in brackets; policy.kl takes 0 to 100"},
		{"[sweep.axes]\n\"policy.kl\" = []", "f.toml:2: sweep.axes.policy.kl = []: not a list of values; write at least one in brackets; policy.kl takes 0 to 100"},
		{"[sweep.axes]\n\"policy.kl\" = [1]\npolicy.kl = [2]", "f.toml:3: sweep.axes.policy.kl = [2]: the axis is there already; take one of them out"},
		{"[sweep.axes]\npolicy = [1]", "f.toml:2: sweep.axes.policy = [1]: not a key but a table; name one of its keys, such as policy.kind"},
		{"[sweep.axes]\n\"run.seed\" = [1]", "f.toml:2: sweep.axes.run.seed = [1]: cannot be an axis; set the seeds with sweep.seeds, or with --seeds"},
		{"[sweep]\naxis = { a = 1 }", "f.toml:2: sweep.axis: unknown table; nearest is sweep.axes"},
		{"[sweep]\naxes = 3", "f.toml:2: sweep.axes = 3: not a table; set its keys, such as \"policy.kl\" = [0, 0.1]"},
		{"[sweep]\nseeds = 0", "f.toml:2: sweep.seeds = 0: out of range; allowed: 1 to 1000, or a list of seeds, each once"},
		{"[sweep]\nseeds = [1, 1]", "f.toml:2: sweep.seeds = [1, 1]: out of range; allowed: 1 to 1000, or a list of seeds, each once"},
		{"[sweep]\nseeds = []", "f.toml:2: sweep.seeds = []: out of range; allowed: 1 to 1000, or a list of seeds, each once"},
		{"[sweep]\nseeds = [-1]", "f.toml:2: sweep.seeds = [-1]: neither a number of seeds nor a list of them; allowed: 1 to 1000, or a list of seeds, each once"},
	} {
		_, err := Parse("f.toml", c.text, nil)
		checkErrors(t, c.text, err, c.want)
	}
	for _, c := range []struct{ axis, want string }{
		{"policy.kl", "--axis policy.kl: no values; write KEY=VALUE,VALUE,…"},
		{"policy.kll=1", "--axis policy.kll=1: unknown key; nearest is policy.kl"},
		{"policy.kl=1,x", `--axis policy.kl=1,x: value 2, "x": not a number; allowed: 0 to 100`},
		{"policy.kl=0,1#3", `--axis policy.kl=0,1#3: value 2, "1#3": not a number; allowed: 0 to 100`},
		{"run.seed=1,2", "--axis run.seed=1,2: cannot be an axis; set the seeds with sweep.seeds, or with --seeds"},
	} {
		_, err := mustLoad(t, "quick").ForSweep([]string{c.axis})
		checkErrors(t, c.axis, err, c.want)
	}
	fixed, err := Parse("f.toml", swept, []string{"policy.kl=1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = fixed.ForSweep(nil)
	checkErrors(t, "a fixed axis", err, "--set policy.kl=1: an axis of the sweep sets it in every cell; write --axis policy.kl=VALUE instead")
}

func TestReferenceSweepsNothing(t *testing.T) {
	if diff := cmp.Diff(Default().Sweep, mustLoad(t, "reference").Sweep); diff != "" {
		t.Error(diff)
	}
}

func TestShippedSweeps(t *testing.T) {
	for name, want := range map[string][2]int{"ablate-kl": {4, 5}, "ablate-probe": {6, 3}} {
		p := mustLoad(t, name)
		cells := 1
		for _, a := range p.Sweep.Axes {
			cells *= len(a.Values)
		}
		if seeds := len(p.Sweep.Seeds.From(p.Run.Seed)); cells != want[0] || seeds != want[1] {
			t.Errorf("%s: %d settings and %d seeds, want %v", name, cells, seeds, want)
		}
	}
}
