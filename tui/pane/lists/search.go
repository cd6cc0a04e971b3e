package lists

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/event"
	"verge/tui/pane"
	"verge/tui/prompt"
	"verge/tui/text"
	"verge/tui/theme"
)

// search is a text that a list is filtered by: while it is typed, and after Enter until Escape.
type search struct {
	line *prompt.Line // that is typed, or nil
	kept string
}

func (s *search) start() { s.line = prompt.New("/", s.kept) }

func (s *search) clear() { *s = search{} }

func (s *search) reading() bool { return s.line != nil }

func (s *search) text() string {
	if s.line != nil {
		return s.line.Value()
	}
	return s.kept
}

// set says that the list is filtered, or about to be.
func (s *search) set() bool { return s.reading() || s.kept != "" }

// key takes a key while the text is typed. Enter keeps the filter, Escape drops it.
func (s *search) key(k tea.KeyMsg) {
	switch s.line.Type(k) {
	case prompt.Entered:
		s.kept, s.line = s.line.Value(), nil
	case prompt.Left:
		s.clear()
	}
}

// view is the text as one line, and no line when there is none.
func (s *search) view(c pane.Context, width int) []string {
	switch {
	case s.line != nil:
		return []string{s.line.View(c.Theme, width)}
	case s.kept != "":
		return []string{c.Paint(theme.Accent, text.Cut("/ "+text.Safe(s.kept), width))}
	}
	return nil
}

// matcher says whether any of some texts contains what is searched for, in upper case or lower.
type matcher struct{ want string }

func (s *search) matcher() matcher { return matcher{strings.ToLower(s.text())} }

func (m matcher) any(texts ...string) bool {
	if m.want == "" {
		return true
	}
	for _, t := range texts {
		if containsFold(t, m.want) {
			return true
		}
	}
	return false
}

// containsFold says whether s contains a text that is given in lower case. It allocates nothing, since it looks at every row of a list.
func containsFold(s, lower string) bool {
	first := lower[0]
	for i := 0; i+len(lower) <= len(s); i++ {
		if c := s[i]; c != first && first < 0x80 && (c < 'A' || c > 'Z' || c+'a'-'A' != first) {
			continue
		}
		if strings.EqualFold(s[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// key is any of a proposal's key as it is shown, which is written out only where the text could be a part of it.
func (m matcher) key(k event.Key) bool {
	return m.any(k.Arm, string(k.Stage)) || strings.Contains(m.want, "/") && m.any(k.String())
}
