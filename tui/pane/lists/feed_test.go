package lists

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/event"
	"verge/tui/keys"
)

func TestLogFollowsItsEndUntilItIsScrolled(t *testing.T) {
	run := newLive(t, started())
	run.apply(say(0, 20)...)
	p := newLog()
	wants(t, drawn(p, run.context(), 60, 5), "warning 015", "warning 019")

	run.apply(say(20, 1)...)
	wants(t, drawn(p, run.context(), 60, 5), "warning 020")

	p.Do(keys.PageUp, run.context())
	before := drawn(p, run.context(), 60, 5)
	wants(t, before, "warning 012", "warning 015", "newer")
	lacks(t, before, "warning 020")

	run.apply(say(21, 30)...)
	after := drawn(p, run.context(), 60, 5)
	if got, want := linesWith(after, "warning"), linesWith(before, "warning"); len(got) != len(want) || got[0] != want[0] {
		t.Errorf("what is read moved from %q to %q", want, got)
	}
	wants(t, after, "35 newer")

	p.Do(keys.Bottom, run.context())
	wants(t, drawn(p, run.context(), 60, 5), "warning 050")
	run.apply(say(51, 1)...)
	wants(t, drawn(p, run.context(), 60, 5), "warning 051")
}

// Keys that come faster than the screen is drawn are not lost.
func TestScrollingTwiceBetweenDrawings(t *testing.T) {
	run := newLive(t, started())
	run.apply(say(0, 20)...)
	p := newLog()
	drawn(p, run.context(), 60, 5)
	for range 3 {
		p.Do(keys.Up, run.context())
	}
	wants(t, drawn(p, run.context(), 60, 5), "warning 012", "warning 015", "4 newer")
}

func TestScrollingDownToTheEndFollowsItAgain(t *testing.T) {
	run := newLive(t, started())
	run.apply(say(0, 20)...)
	p := newLog()
	drawn(p, run.context(), 60, 5)
	p.Do(keys.Top, run.context())
	wants(t, drawn(p, run.context(), 60, 5), "run of profile quick")
	for range 40 {
		p.Do(keys.Down, run.context())
		drawn(p, run.context(), 60, 5)
	}
	run.apply(say(20, 1)...)
	drawing := drawn(p, run.context(), 60, 5)
	wants(t, drawing, "warning 020")
	lacks(t, drawing, "newer")
}

// Every line of a log can be reached with each of the keys, whatever number of lines of the screen entries take.
func TestScrollingShowsEveryEntry(t *testing.T) {
	run := newLive(t, started())
	for i, s := range []string{"a", "b", "c", "d", "e", "f"} {
		e := event.Warned{Code: "<" + s + ">"}
		for range i % 4 {
			e.Text += " words that go on and on over the width of the box, which is small"
		}
		run.apply(e)
	}
	for _, a := range []keys.Action{keys.Up, keys.PageUp} {
		p := newLog()
		seen := drawn(p, run.context(), 40, 4)
		for range 20 {
			p.Do(a, run.context())
			seen += drawn(p, run.context(), 40, 4)
		}
		wants(t, seen, "run of profile", "<a>", "<b>", "<c>", "<d>", "<e>", "<f>")
	}
}

func TestLogFilter(t *testing.T) {
	run := newLive(t, started())
	run.apply(say(0, 30)...)
	p := newLog()
	drawn(p, run.context(), 60, 10)
	p.Do(keys.Filter, run.context())
	if !p.Reading() || !p.Open() {
		t.Fatal("the filter is not read")
	}
	typed(p, run.context(), "WARNING 01")
	drawing := drawn(p, run.context(), 60, 20)
	wants(t, drawing, "warning 010", "warning 019")
	lacks(t, drawing, "warning 020", "run of profile")

	press(p, run.context(), tea.KeyEnter)
	if p.Reading() || !p.Open() {
		t.Error("after Enter the filter is to hold and not to be read")
	}
	run.apply(say(10, 1)...)
	if got := linesWith(drawn(p, run.context(), 60, 20), "warning 010"); len(got) != 2 {
		t.Errorf("a line that came later is not filtered in: %q", got)
	}

	p.Do(keys.Back, run.context())
	if p.Open() {
		t.Error("Back leaves the filter")
	}
	wants(t, drawn(p, run.context(), 60, 40), "run of profile", "warning 029")

	p.Do(keys.Filter, run.context())
	typed(p, run.context(), "nowhere")
	wants(t, drawn(p, run.context(), 60, 10), "None of 32 lines")
	press(p, run.context(), tea.KeyEsc)
	lacks(t, drawn(p, run.context(), 60, 10), "None of", "nowhere")
}

func TestLogTellsLevelsByGlyphs(t *testing.T) {
	run := newLive(t, started(), event.Warned{Code: "code", Text: "be warned"}, event.RunEnded{Failed: "all is lost"})
	drawing := drawn(newLog(), run.context(), 60, 10)
	wants(t, drawing, "! code: be warned", "✗ the run failed: all is lost", "· run of profile")
	wants(t, drawn(newLog(), newLive(t).context(), 60, 10), "Nothing has happened yet")
}
