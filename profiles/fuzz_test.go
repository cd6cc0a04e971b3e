package profiles

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Any text either loads, and then round-trips, or fails with typed errors that name a place and a fix.
func FuzzParse(f *testing.F) {
	for _, name := range shippedNames() {
		text, err := shipped.ReadFile(name + extension)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "policy.kl=0.2")
	}
	for _, text := range []string{
		"", "\x00", "\ufeff", "\xff\xfea=1", "[", "[[a]]\n[[a]]\nb=1", "a.b.c=1\n[a]", "x = [1, {a = 1}, [[]]]", "policy = [{kl = 1}, 2]",
		"\"\" = 1", "[\"\"]\n\"\" = 1", "run.seed = 1979-05-27T07:32:00Z", "run.seed = 07:32:00", "title = '''\n\n'''", "title = \"\"\"\\\n  a\"\"\"",
		"target.low = 1e-300\ntarget.high = 1e-300", "target = {attempts = 64, low = '1/1000000000', high = '999999999/1000000000'}",
		"run.seed = 99999999999999999999", "probe.l2 = [5e-324, 1.7976931348623157e308]", "extends = '/'", "extends = ''", "extends = '\x00.toml'",
	} {
		f.Add(text, "target.low=0.333")
		f.Add("", text)
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		if strings.Contains(text, extendsKey) {
			text = strings.ReplaceAll(text, "/", "") // stays among the package's own files
		}
		p, err := Parse("fuzz.toml", text, []string{set})
		if err != nil {
			checkTyped(t, err)
			return
		}
		q, err := Parse("again.toml", p.Resolved(), nil)
		if err != nil {
			t.Fatalf("%q %q resolves to %s: %v", text, set, p.Resolved(), err)
		}
		if diff := cmp.Diff(p, q, unset); diff != "" {
			t.Fatalf("%q %q: %s", text, set, diff)
		}
	})
}

func checkTyped(t *testing.T, err error) {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, err := range list {
		var typed *Error
		if !errors.As(err, &typed) || typed.Place == "" || typed.Problem == "" || typed.Fix == "" {
			t.Errorf("%#v is no whole *Error", err)
		}
	}
}
