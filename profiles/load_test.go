package profiles

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// unset leaves out what is not of one run: its name, the sweep, and where values came from.
var unset = cmp.Options{cmpopts.IgnoreUnexported(Profile{}), cmpopts.IgnoreFields(Profile{}, "Name", "Sweep")}

func mustLoad(t *testing.T, name string, sets ...string) *Profile {
	t.Helper()
	p, err := Load(name, sets)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestShippedProfiles(t *testing.T) {
	var names []string
	for _, l := range List() {
		names = append(names, l.Name)
		if l.Title == "" || l.Description == "" {
			t.Errorf("%s has no title or no description", l.Name)
		}
		p := mustLoad(t, l.Name)
		least := 1000
		if p.Roles.Generator.Backend == OllamaBackend { // where a proposal takes seconds
			least = 24
		}
		if p.Evaluation.Proposals < least || p.Name != l.Name {
			t.Errorf("%s: %d evaluation proposals, named %q", l.Name, p.Evaluation.Proposals, p.Name)
		}
	}
	if diff := cmp.Diff([]string{"ablate-kl", "ablate-probe", "propel-math", "propel-math-ollama", "propel-math-small", "quick", "reference"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Arms("propel"), mustLoad(t, "propel-math").Run.Arms); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"base", "propel"}, mustLoad(t, "quick").Run.Arms); diff != "" {
		t.Error(diff)
	}
}

func TestExtendsMergesTablesAndReplacesLists(t *testing.T) {
	p := mustLoad(t, "testdata/child.toml")
	want := Default()
	want.Title = "Child"
	want.Run.Seed = 7
	want.Run.Arms = []string{"base"}
	want.Policy.KL = 0.05
	want.Policy.Group = 4
	if diff := cmp.Diff(want, p, unset); diff != "" {
		t.Error(diff)
	}
	if p.Name != "child" {
		t.Errorf("named %q", p.Name)
	}
}

func TestFilesExtendShippedProfiles(t *testing.T) {
	p, err := Parse("mine.toml", "extends = 'quick'\nrun.seed = 9", []string{"policy.steps=3", "policy.steps=4"})
	if err != nil {
		t.Fatal(err)
	}
	want := mustLoad(t, "quick")
	want.Run.Seed = 9
	want.Policy.Steps = 4
	if diff := cmp.Diff(want, p, unset); diff != "" {
		t.Error(diff)
	}
}

// Every way TOML has to write a key leads to the same place.
func TestWaysToWriteAKey(t *testing.T) {
	for _, text := range []string{
		"[roles.solver]\ntop_k = 5",
		"roles.solver.top_k = 5",
		"[roles]\nsolver.top_k = 5",
		"[roles]\nsolver = { top_k = 5 }",
		"roles = { solver.top_k = 5 }",
		"\"roles\".'solver'.\"top_k\" = 5",
		"[ roles . \"solver\" ]\r\ntop_k = 0x5\r\n",
		"\ufeffroles.solver.top_k = 5",
	} {
		p, err := Parse("a.toml", text, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if p.Roles.Solver.TopK != 5 || p.Roles.Generator.TopK != 0 {
			t.Errorf("%q: solver %d, generator %d", text, p.Roles.Solver.TopK, p.Roles.Generator.TopK)
		}
	}
}

func TestSet(t *testing.T) {
	get := func(read func(*Profile) any) func(*Profile) any { return read }
	seed := get(func(p *Profile) any { return p.Run.Seed })
	armsOf := get(func(p *Profile) any { return p.Run.Arms })
	title := get(func(p *Profile) any { return p.Title })
	layerOf := get(func(p *Profile) any { return p.Probe.Layer })
	l2 := get(func(p *Profile) any { return p.Probe.L2 })
	low := get(func(p *Profile) any { return p.Target.Low })
	kl := get(func(p *Profile) any { return p.Policy.KL })
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	modelOf := get(func(p *Profile) any { return p.Roles.Generator.Model })
	for _, c := range []struct {
		set  string
		read func(*Profile) any
		want any
	}{
		{"run.seed=42", seed, uint64(42)},
		{" run.seed = 42 ", seed, uint64(42)},
		{"run.seed=9223372036854775807", seed, uint64(1<<63 - 1)},
		{`run.arms=["base", "sil-long"]`, armsOf, []string{"base", "sil-long"}},
		{"run.arms=base,propel", armsOf, []string{"base", "propel"}},
		{`run.arms=base, "propel"`, armsOf, []string{"base", "propel"}},
		{"run.arms=propel", armsOf, []string{"propel"}},
		{"title=two words = one title", title, "two words = one title"},
		{"title=2026", title, "2026"},
		{`title="quoted \"once\""`, title, `quoted "once"`},
		{"title=", title, ""},
		{`title="a # b"`, title, "a # b"},
		{`title="a" # b`, title, `"a" # b`},
		{"probe.layer=auto", layerOf, AutoLayer},
		{"probe.layer=3", layerOf, Layer(3)},
		{"probe.l2=1,2.5", l2, []float64{1, 2.5}},
		{"probe.l2=[1e-3]", l2, []float64{0.001}},
		{"target.low=1/4", low, Rate{1, 4}},
		{`target.low="2/8"`, low, Rate{1, 4}},
		{"target.low=0.25", low, Rate{1, 4}},
		{"target.low=0", low, Rate{0, 1}},
		{"policy.kl=0", kl, 0.0},
		{"policy.kl=5e-2", kl, 0.05},
		{"roles.generator.model=models/my model.gguf", modelOf, filepath.Join(here, "models/my model.gguf")},
		{"roles.generator.model=/models/my model.gguf", modelOf, "/models/my model.gguf"},
	} {
		p, err := Load("reference", []string{c.set})
		if err != nil {
			t.Errorf("--set %s: %v", c.set, err)
			continue
		}
		if diff := cmp.Diff(c.want, c.read(p)); diff != "" {
			t.Errorf("--set %s: %s", c.set, diff)
		}
	}
}

func TestResolvedRoundTrip(t *testing.T) {
	for _, sets := range [][]string{
		nil,
		{"target.attempts=3", "target.low=0.333", "target.high=0.666", "title=\"a \\\"quoted\\\" back\\\\slash\""},
		{"target.low=0.137", "target.high=0.9", "probe.layer=0", "policy.learning_rate=1e-7", "probe.l2=1e-12,3e5"},
		{"policy.estimator=reinforce++", "policy.gamma=0.99", "policy.baseline=true", "probe.layer=all", "run.seed=9223372036854775807",
			"policy.kind=lora", "roles.generator.temperature=1", "roles.generator.top_p=1"},
	} {
		for _, name := range shippedNames() {
			p := mustLoad(t, name, sets...)
			q, err := Parse("run.toml", p.Resolved(), nil)
			if err != nil {
				t.Fatalf("%s %v: %v", name, sets, err)
			}
			if diff := cmp.Diff(p, q, unset); diff != "" {
				t.Errorf("%s %v: %s", name, sets, diff)
			}
			if p.Hash() != q.Hash() || len(p.Hash()) != 64 {
				t.Errorf("%s %v: hashes %s and %s", name, sets, p.Hash(), q.Hash())
			}
		}
	}
}

func TestHashTellsProfilesApart(t *testing.T) {
	seen := map[string]string{}
	for _, set := range []string{"policy.kl=0.1", "policy.kl=0.2", "run.seed=2", "run.arms=propel,base", "probe.layer=4"} {
		h := mustLoad(t, "quick", set).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have one hash", set, other)
		}
		seen[h] = set
	}
	if mustLoad(t, "quick").Hash() != mustLoad(t, "quick", "target.low=0.125").Hash() {
		t.Error("0.125 and 1/8 of eight attempts have two hashes")
	}
}

func TestRefuseNamesWhereAValueWasSet(t *testing.T) {
	p := mustLoad(t, "testdata/child.toml", "probe.layer=9")
	for key, want := range map[string]string{
		"policy.group": "testdata/base.toml:9: policy.group = 4: too bad; mend it",
		"policy.kl":    "testdata/child.toml:8: policy.kl = 0.05: too bad; mend it",
		"probe.layer":  "--set probe.layer=9: too bad; mend it",
		"target.low":   `default: target.low = "1/8": too bad; mend it`,
	} {
		if got := p.Refuse(key, "too bad", "mend it").Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := Default().Refuse("run.seed", "odd", "even").Error(); got != "default: run.seed = 1: odd; even" {
		t.Error(got)
	}
}

func TestLoadFailures(t *testing.T) {
	const known = "profiles that ship: ablate-kl, ablate-probe, propel-math, propel-math-ollama, propel-math-small, quick, reference"
	for _, c := range []struct{ name, want string }{
		{"quik", "quik: no such profile; nearest is quick; " + known},
		{"mine", "mine: no such profile; " + known + "; a file of your own is given by its path, such as mine.toml or ./mine"},
		{"go", "go: no such profile; " + known + "; a file of your own is given by its path, such as mine.toml or ./mine"},
		{"load.go", "load.go: no such profile; for the file of that name write ./load.go; " + known},
		{"testdata/../quick.toml.toml", "testdata/../quick.toml.toml: no such file; check the path, or name a profile that ships: ablate-kl, ablate-probe, propel-math, propel-math-ollama, propel-math-small, quick, reference"},
		{"testdata/none.toml", "testdata/none.toml: no such file; check the path, or name a profile that ships: ablate-kl, ablate-probe, propel-math, propel-math-ollama, propel-math-small, quick, reference"},
		{"./testdata/", "./testdata/: it is a folder, not a file; name a file that can be read"},
		{"testdata/cycle-a.toml", `testdata/cycle-b.toml:2: extends = "./deep/../cycle-a.toml": ` +
			"a cycle: testdata/cycle-a.toml extends testdata/cycle-b.toml extends testdata/cycle-a.toml; take one of them out"},
		{"testdata/self.toml", `testdata/self.toml:1: extends = "self.toml": a cycle: testdata/self.toml extends testdata/self.toml; take one of them out`},
		{"./testdata/self.toml", `./testdata/self.toml:1: extends = "self.toml": a cycle: ./testdata/self.toml extends testdata/self.toml; take one of them out`},
		{"testdata/extends-bad.toml", "testdata/bad-base.toml:2: probe.folds = 1: out of range; allowed: 3 to 20"},
		{"testdata/deep/grandchild.toml", "testdata/deep/grandchild.toml:3: policy.proposals = 30: 30 proposals are no whole number of groups of 4; nearest are policy.proposals 28 and 32"},
	} {
		_, err := Load(c.name, nil)
		checkErrors(t, c.name, err, c.want)
	}
}

func TestLargeFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.toml")
	if err := os.WriteFile(path, []byte(strings.Repeat("#\n", largest)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path, nil)
	checkErrors(t, path, err, path+": larger than 65536 bytes; a profile is a TOML file of some lines")
}

// A link makes one file many names, and still the cycle ends at the first repetition.
func TestCycleThroughALink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.toml")
	if err := os.WriteFile(path, []byte("extends = 'd/a.toml'"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path, nil)
	checkErrors(t, path, err, path+`:1: extends = "d/a.toml": a cycle: `+path+" extends "+filepath.Join(dir, "d", "a.toml")+"; take one of them out")
}

// checkErrors wants exactly these errors, all typed.
func checkErrors(t *testing.T, what string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %q", what, want)
		return
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), err.Error()); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	var typed *Error
	if !errors.As(err, &typed) || typed.Fix == "" || typed.Problem == "" {
		t.Errorf("%s: %#v is no whole *Error", what, err)
	}
}

func TestOraclesAreAListOfBindings(t *testing.T) {
	p, err := Parse("a.toml", "[[roles.oracles]]\nbackend = 'ollama'\nmodel = 'a'\nmax_tokens = 512\n[[roles.oracles]]\nmodel = 'b.gguf'\nkeep_alive = '1h30m'\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	first, second := binding("a"), binding("")
	first.Backend, first.MaxTokens = OllamaBackend, 512
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	second.Model, second.KeepAlive = filepath.Join(here, "b.gguf"), Duration(90*time.Minute)
	if diff := cmp.Diff(Oracles{first, second}, p.Roles.Oracles); diff != "" {
		t.Error(diff)
	}
	if got := p.Roles.File(OracleRole(1)); got != second.Model {
		t.Errorf("the file of the second oracle is %q", got)
	}
	again, err := Parse("b.toml", p.Resolved(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != p.Hash() {
		t.Errorf("it reads back as another profile: %s", cmp.Diff(p.Roles, again.Roles))
	}
}
