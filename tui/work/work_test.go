package work_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/work"
)

func TestPollReadsOneAtATimeAndNotTooOften(t *testing.T) {
	n := 0
	p := work.Poll[int]{Every: 2 * time.Second}
	read := func() int { n++; return n }
	now := time.Unix(1000, 0)
	first := p.Tick(now, read)
	if first == nil {
		t.Fatal("the first reading is not due at once")
	}
	if p.Tick(now.Add(10*time.Second), read) != nil {
		t.Error("a second reading begins before the first has come")
	}
	if got, ok := p.Take(first()); !ok || got != 1 {
		t.Errorf("reading %d, %v", got, ok)
	}
	if p.Tick(now.Add(time.Second), read) != nil {
		t.Error("read again after half the time")
	}
	p.Soon()
	if p.Tick(now.Add(time.Second), read) == nil {
		t.Error("not read soon")
	}
}

func TestPollDropsWhatIsStaleOrAnothers(t *testing.T) {
	read := func() int { return 1 }
	p, other := work.Poll[int]{Every: time.Second}, work.Poll[int]{Every: time.Second}
	now := time.Unix(1000, 0)
	lost, foreign := p.Tick(now, read), other.Tick(now, read)
	if _, ok := p.Take(foreign()); ok {
		t.Error("took another's reading")
	}
	if _, ok := p.Take(tea.KeyMsg{}); ok {
		t.Error("took a key for a reading")
	}
	again := p.Tick(now.Add(time.Minute), read)
	if again == nil {
		t.Fatal("waits for ever for a reading that was lost")
	}
	if _, ok := p.Take(lost()); ok {
		t.Error("took a reading that was overtaken")
	}
	if _, ok := p.Take(again()); !ok {
		t.Error("did not take the reading")
	}
}

func TestARequestThatWasGivenUpBringsNothing(t *testing.T) {
	var o work.One
	if o.Doing() != "" || o.GiveUp() {
		t.Error("something is done at rest")
	}
	ask := o.Ask("opening", func() tea.Msg { return 1 })
	if o.Doing() != "opening" {
		t.Errorf("doing %q", o.Doing())
	}
	if msg := ask(); msg != 1 || o.Doing() != "" {
		t.Errorf("brought %v, doing %q", msg, o.Doing())
	}
	ask = o.Ask("opening", func() tea.Msg { return 2 })
	if !o.GiveUp() || o.Doing() != "" {
		t.Error("not given up")
	}
	if msg := ask(); msg != nil {
		t.Errorf("brought %v after it was given up", msg)
	}
}
