package prompt_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/fixture"
	"verge/tui/prompt"
	"verge/tui/screentest"
	"verge/tui/text"
)

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestTyping(t *testing.T) {
	l := prompt.New("tags:", "ab")
	for _, key := range []tea.KeyMsg{runes("c"), {Type: tea.KeyLeft}, {Type: tea.KeyBackspace}, runes("漢")} {
		if got := l.Type(key); got != prompt.Typing {
			t.Fatalf("%v: outcome %d", key, got)
		}
	}
	if got := l.Value(); got != "a漢c" {
		t.Errorf("value %q", got)
	}
	if got := strings.TrimRight(l.View(screentest.Look(t), 40), " "); got != "tags: a漢▏c" {
		t.Errorf("drawn %q", got)
	}
	if l.Type(tea.KeyMsg{Type: tea.KeyEnter}) != prompt.Entered || l.Type(tea.KeyMsg{Type: tea.KeyEsc}) != prompt.Left {
		t.Error("Enter and Escape do not end the line")
	}
}

func TestTheCaretIsInSightHoweverLongTheLine(t *testing.T) {
	l := prompt.New("note:", strings.Repeat("word ", 100)+"end")
	if got := l.View(screentest.Look(t), 30); !strings.Contains(got, "end▏") || text.Width(got) != 30 {
		t.Errorf("drawn %q", got)
	}
}

func TestPastedTextSteersNothing(t *testing.T) {
	for _, s := range fixture.HostileTexts() {
		l := prompt.New("note:", "")
		l.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
		for _, width := range []int{1, 7, 20, 60} {
			if got := l.View(screentest.Look(t), width); got != text.Safe(got) || text.Width(got) != width {
				t.Errorf("width %d: %.80q", width, got)
			}
		}
	}
}

func TestAFilterHoldsWhileItIsTypedAndUntilItIsDropped(t *testing.T) {
	var f prompt.Filter
	if f.Drop() || f.Reading() {
		t.Error("a new one filters")
	}
	f.Start()
	f.Type(runes("a"))
	if f.Text != "a" || !f.Reading() {
		t.Errorf("typed: %q, reading %v", f.Text, f.Reading())
	}
	f.Type(tea.KeyMsg{Type: tea.KeyEnter})
	f.Start()
	f.Type(runes("b"))
	f.Type(tea.KeyMsg{Type: tea.KeyEnter})
	if f.Text != "ab" || f.Reading() {
		t.Errorf("entered: %q, reading %v", f.Text, f.Reading())
	}
	f.Start()
	f.Type(tea.KeyMsg{Type: tea.KeyEsc})
	if f.Text != "" || f.Reading() || f.Drop() {
		t.Errorf("left: %q", f.Text)
	}
}
