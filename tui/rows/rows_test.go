package rows_test

import (
	"slices"
	"strings"
	"testing"

	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/rows"
	"verge/tui/screentest"
	"verge/tui/text"
)

func TestTheSelectedRowStaysInSight(t *testing.T) {
	var c rows.Cursor
	for _, step := range []struct {
		action       keys.Action
		at, from, to int
	}{
		{keys.Up, 0, 0, 5},
		{keys.Down, 1, 0, 5},
		{keys.PageDown, 5, 1, 6},
		{keys.Bottom, 19, 15, 20},
		{keys.Down, 19, 15, 20},
		{keys.PageUp, 15, 15, 20},
		{keys.Up, 14, 14, 19},
		{keys.Top, 0, 0, 5},
	} {
		c.Sight(20, 5)
		if !c.Move(step.action, 20) {
			t.Fatalf("%s is not understood", step.action)
		}
		if from, to := c.Sight(20, 5); c.At != step.at || from != step.from || to != step.to {
			t.Errorf("%s: row %d, in sight %d to %d, want %+v", step.action, c.At, from, to, step)
		}
	}
	if c.Move(keys.Open, 20) {
		t.Error("opening moves the cursor")
	}
}

func TestAListThatShrinksOrIsEmptyHasASelectionInIt(t *testing.T) {
	c := rows.Cursor{At: 19}
	if from, to := c.Sight(3, 5); c.At != 2 || from != 0 || to != 3 {
		t.Errorf("row %d, in sight %d to %d", c.At, from, to)
	}
	for _, height := range []int{-1, 0, 5} {
		if from, to := c.Sight(0, height); from != 0 || to != 0 {
			t.Errorf("empty, height %d: in sight %d to %d", height, from, to)
		}
		c.Move(keys.Bottom, 0)
		if c.At != 0 {
			t.Errorf("row %d of an empty list", c.At)
		}
	}
}

func TestAnOutlineKeepsTheSelectedRowInSight(t *testing.T) {
	var o rows.Outline
	begins := func(i int) bool { return i%3 == 0 }
	see := func() string {
		var s string
		for _, l := range o.Lines(9, 4, begins) {
			switch {
			case l.Heading:
				s += "h"
			case l.Row == o.At:
				s += "*"
			default:
				s += "."
			}
		}
		return s
	}
	for _, step := range []struct {
		action keys.Action
		want   string
	}{{keys.Top, "h*.."}, {keys.Bottom, "h..*"}, {keys.Up, "h.*."}, {keys.Up, "h*.."}, {keys.Up, "*h.."}, {keys.Top, "h*.."}} {
		o.Move(step.action, 9)
		if got := see(); got != step.want {
			t.Errorf("%s: %s, want %s", step.action, got, step.want)
		}
	}
	if lines := o.Lines(0, 4, begins); len(lines) != 0 {
		t.Errorf("an empty one: %v", lines)
	}
}

func TestATextScrollsFromItsFirstToItsLastLine(t *testing.T) {
	var s rows.Scroll
	for _, step := range []struct {
		action   keys.Action
		from, to int
	}{{keys.Up, 0, 5}, {keys.Down, 1, 6}, {keys.PageDown, 5, 10}, {keys.Bottom, 15, 20}, {keys.Down, 15, 20}, {keys.Top, 0, 5}} {
		s.Sight(20, 5)
		if !s.Move(step.action) {
			t.Fatalf("%s is not understood", step.action)
		}
		if from, to := s.Sight(20, 5); from != step.from || to != step.to {
			t.Errorf("%s: in sight %d to %d, want %d to %d", step.action, from, to, step.from, step.to)
		}
	}
	if from, to := s.Sight(3, 5); from != 0 || to != 3 {
		t.Errorf("a short text: in sight %d to %d", from, to)
	}
}

var columns = []rows.Column{{Head: "name", Min: 8, Max: 20}, {Head: "seed", Min: 4, Right: true, Rank: 1}, {Head: "tags", Min: 6, Max: 10, Rank: 2}}

func TestColumnsGiveWayByRankAndGrowByNeed(t *testing.T) {
	cells := []rows.Cell{{Text: "a long name of a run"}, {Text: "7"}, {Text: "tag"}}
	for width, want := range map[int]string{
		10: "▸ a long …",
		16: "▸ a long …     7",
		24: "▸ a long …     7  tag",
		30: "▸ a long nam…     7  tag",
		50: "▸ a long name of a run     7  tag",
	} {
		if got := strings.TrimRight(rows.Share(columns, width).Line(screentest.Look(t), true, cells), " "); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestAColumnThatIsShownWholeIsCutOnlyWhereNoOtherCanGiveWay(t *testing.T) {
	whole := slices.Clone(columns)
	whole[0].Whole = true
	table := [][]rows.Cell{{{Text: "a long name"}, {Text: "7"}, {Text: "tag"}}, {{Text: "short"}, {Text: "12"}, {Text: "two tags"}}}
	for width, want := range map[int]string{
		10: "▸ a long …",
		16: "▸ a long name",
		19: "▸ a long name     7",
		27: "▸ a long name     7  tag",
	} {
		if got := strings.TrimRight(rows.Share(rows.Holding(whole, table), width).Line(screentest.Look(t), true, table[0]), " "); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestAColumnThatHoldsNothingIsLeftOut(t *testing.T) {
	table := [][]rows.Cell{{{Text: "a"}, {}, {Text: "tag"}}, {{}, {}, {Text: "b"}}}
	got := rows.Share(rows.Holding(columns, table), 40)
	if head := strings.Join(strings.Fields(got.Head(screentest.Look(t))), " "); head != "name tags" {
		t.Errorf("columns %q", head)
	}
	if line := strings.TrimRight(got.Line(screentest.Look(t), false, table[0]), " "); line != "  a         tag" {
		t.Errorf("drawn %q", line)
	}
}

func TestColumnsNeedNoMoreThanTheirMost(t *testing.T) {
	cells := []rows.Cell{{Text: strings.Repeat("x", 90)}, {Text: "7"}, {Text: strings.Repeat("y", 90)}}
	n := rows.Most(columns)
	if at, more := rows.Share(columns, n).Line(screentest.Look(t), false, cells), rows.Share(columns, n+20).Line(screentest.Look(t), false, cells); at+strings.Repeat(" ", 20) != more {
		t.Errorf("%q\n%q", at, more)
	}
}

func TestAShortFormTakesThePlaceOfACutOne(t *testing.T) {
	table := rows.Share(columns[:1], 10)
	for want, cell := range map[string]rows.Cell{
		"  a name":   {Text: "a name", Short: "name"},
		"  long":     {Text: "a long name", Short: "long"},
		"  a long …": {Text: "a long name"},
	} {
		if got := strings.TrimRight(table.Line(screentest.Look(t), false, []rows.Cell{cell}), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLinesAreAsWideAsTheyShouldBe(t *testing.T) {
	for _, s := range fixture.HostileTexts() {
		for _, width := range []int{1, 5, 20, 60, 200} {
			table := rows.Share(columns, width)
			for _, line := range []string{table.Head(screentest.Look(t)), table.Line(screentest.Look(t), false, []rows.Cell{{Text: s}, {Text: s}, {Text: s}})} {
				if text.Width(line) != width || line != text.Safe(line) {
					t.Errorf("width %d: %d cells: %.80q", width, text.Width(line), line)
				}
			}
		}
	}
}
