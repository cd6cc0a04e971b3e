package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAGridKeepsWithinTheWidth(t *testing.T) {
	headings := []string{"", "in band of valid %", "n", "what was said of it"}
	rows := [][]string{
		{"base", "10.9 [8.1, 13.7]", "60", "short"},
		{"propel", "30.3 [25.4, 35.2]", "1200", "more words than one line has room for"},
		{"none", "-"},
	}
	for width, want := range map[int]string{
		0: `
         in band of valid %   n      what was said of it
base     10.9 [8.1, 13.7]     60     short
propel   30.3 [25.4, 35.2]    1200   more words than one line has room for
none     -
`,
		40: `
         in band of
         valid %             n
base     10.9 [8.1, 13.7]    60
propel   30.3 [25.4, 35.2]   1200
none     -

         what was said of it
base     short
propel   more words than one line has
         room for
none
`,
		30: `
         in band of
         valid %
base     10.9 [8.1, 13.7]
propel   30.3 [25.4, 35.2]
none     -

         n
base     60
propel   1200
none

         what was said of it
base     short
propel   more words than one
         line has room for
none
`,
	} {
		p := &page{style: Style{Width: width}}
		p.grid(1, headings, rows)
		if diff := cmp.Diff(want, p.String()); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}

func TestProseIsBrokenAtSpaces(t *testing.T) {
	p := &page{style: Style{Width: 20}}
	p.title("a title that is longer")
	p.prose("run %s   profile quick", "20261129-200237-quick-cc80")
	want := "\na title that is\nlonger:run\n20261129-200237-quick-cc80\nprofile quick\n"
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTheWholeTableKeepsWithinATerminal(t *testing.T) {
	for _, width := range []int{60, 80, 100} {
		var b strings.Builder
		if err := Table(&b, summarise(t, small()...), Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); len(line) > width && !strings.HasPrefix(line, "stored in") {
				t.Errorf("width %d: %q", width, line)
			}
		}
	}
}
