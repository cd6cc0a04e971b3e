package lists

import (
	"fmt"

	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// feed is where a list that grows at its end is scrolled to. It follows the end until a person scrolls away from it, and again once they
// are back.
type feed struct {
	free        bool // does not follow the end
	top         int  // the first entry that is shown, when free
	first, last int  // the entries that were drawn whole: first … last-1
}

// do scrolls by an action of keys.Scroll. Several may come before the feed is drawn again.
func (f *feed) do(a keys.Action) {
	top, page := f.first, max(1, f.last-f.first-1)
	if f.free {
		top = f.top
	}
	switch a {
	case keys.Up:
		f.to(top - 1)
	case keys.Down:
		f.to(top + 1)
	case keys.PageUp:
		f.to(top - page)
	case keys.PageDown:
		f.to(top + page)
	case keys.Top:
		f.to(0)
	case keys.Bottom:
		*f = feed{}
	}
}

func (f *feed) to(top int) { f.free, f.top = true, max(0, top) }

// view draws what fits of n entries, each of one line or more, and says how many have come since where it does not follow the end.
func (f *feed) view(c pane.Context, width, height, n int, draw func(i int) []string) []string {
	if f.free {
		f.top = min(f.top, max(0, n-1))
		if lines, last := f.down(n, height-1, draw); last < n {
			f.first, f.last = f.top, last
			return append(lines, c.Paint(theme.Accent, text.Cut(fmt.Sprintf("%d newer, %s follows", n-last, keys.Name("end")), width)))
		}
		f.free = false
	}
	return f.up(n, height, draw)
}

// down draws from the top on, and says which entry is the first that is not whole.
func (f *feed) down(n, height int, draw func(int) []string) (lines []string, last int) {
	for last = f.top; last < n && len(lines) < height; last++ {
		lines = append(lines, draw(last)...)
		if len(lines) > height {
			return lines[:height], last
		}
	}
	return lines, last
}

// up draws the end of the list, of whose first entry only the end may have room.
func (f *feed) up(n, height int, draw func(int) []string) []string {
	var lines []string
	f.first, f.last = n, n
	for i := n - 1; i >= 0 && len(lines) < height; i-- {
		lines = append(draw(i), lines...)
		if len(lines) <= height {
			f.first = i
		}
	}
	return lines[max(0, len(lines)-height):]
}
