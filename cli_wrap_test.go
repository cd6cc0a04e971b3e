package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"verge/runner/store"
	"verge/tui/text"
)

func TestHelpFitsATerminalOf80Columns(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		var b bytes.Buffer
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if w := text.Width(strings.TrimSuffix(line, "\n")); w > helpWidth {
				t.Errorf("the help of %s has a line of %d columns: %s", c.CommandPath(), w, line)
			}
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(command())
}

func TestReflowKeepsExamplesAndParagraphs(t *testing.T) {
	const given = "One two\nthree four.\n\n  an example that stays as it is\nfive"
	if got, want := reflow(given, 10), "One two\nthree\nfour.\n\n  an example that stays as it is\nfive"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPairsAreWrappedAtWordsBesideTheirNames(t *testing.T) {
	pairs := [][2]string{{"quick", "one two three four five six"}, {"a-long-name", "seven"}}
	for width, want := range map[int]string{
		0:  "quick        one two three four five six\na-long-name  seven\n",
		33: "quick        one two three four\n             five six\na-long-name  seven\n",
		20: "quick        one two three four five six\na-long-name  seven\n",
	} {
		var b bytes.Buffer
		if err := printPairs(&b, pairs, width); err != nil || b.String() != want {
			t.Errorf("width %d: %v\n%s", width, err, b.String())
		}
	}
}

func TestNarrowListsTellSettingsInTheHeadline(t *testing.T) {
	runs := []store.RunInfo{{Headline: "in band 1 %", Settings: []string{"policy.kl=0", "policy.steps=2"}}, {Settings: []string{"policy.kl=1"}}, {Headline: "in band 2 %"}}
	var got []string
	for _, r := range settingsInHeadlines(runs) {
		if len(r.Settings) > 0 {
			t.Errorf("settings %v are left", r.Settings)
		}
		got = append(got, r.Headline)
	}
	if got, want := strings.Join(got, "|"), "in band 1 %; with policy.kl=0 policy.steps=2|with policy.kl=1|in band 2 %"; got != want {
		t.Errorf("headlines %q, want %q", got, want)
	}
}
