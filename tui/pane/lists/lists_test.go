package lists

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/pane"
	"verge/tui/session"
	"verge/tui/theme"
)

// live is a run that goes on while it is looked at.
type live struct {
	t      testing.TB
	board  board.Board
	events []event.Event
	theme  *theme.Theme
	arm    string
}

func newLive(t testing.TB, events ...event.Event) *live {
	t.Helper()
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	l := &live{t: t, theme: look, arm: "propel"}
	l.apply(events...)
	return l
}

func (l *live) apply(events ...event.Event) {
	l.t.Helper()
	for _, e := range events {
		if err := l.board.Apply(e); err != nil {
			l.t.Fatal(err)
		}
		l.events = append(l.events, e)
	}
}

func (l *live) context() pane.Context {
	return pane.Context{Snapshot: l.board.Snapshot(), Theme: l.theme, Arm: l.arm, Focused: true, Detail: func(t board.Task) (session.Detail, error) {
		return fixture.NewSession(l.events).Detail(t.Key)
	}}
}

// started opens a run of arms base and propel with two attempts a task, one of which has to be right.
func started() event.Event {
	return event.RunStarted{Profile: "quick", Recipe: "propel", Domain: "math", Arms: []string{"base", "propel"}, Attempts: 2, Low: 0.5, High: 0.5}
}

// propose is a proposal with its validation, valid unless there is a reason.
func propose(arm string, n int, statement, reason string) []event.Event {
	k := event.Key{Arm: arm, Stage: event.Train, Proposal: n}
	v := domains.Validity{Valid: reason == "", Reason: reason}
	if reason != "" {
		v.Detail = "told at length: " + reason
	}
	return []event.Event{
		event.TaskProposed{Key: k, Tokens: 3, Episode: domains.Episode{Turns: []domains.Turn{{Reply: statement}}}},
		event.TaskValidated{Key: k, Task: domains.Task{ID: statement, Statement: statement, Type: "sum"}, Validity: v},
	}
}

func typed(p pane.Pane, c pane.Context, s string) {
	for _, r := range s {
		p.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}, c)
	}
}

func press(p pane.Pane, c pane.Context, k tea.KeyType) { p.Type(tea.KeyMsg{Type: k}, c) }

func drawn(p pane.Pane, c pane.Context, width, height int) string {
	return strings.Join(p.View(c, width, height), "\n")
}

// linesWith are the lines of a drawing that contain a text.
func linesWith(drawing, part string) []string {
	var out []string
	for line := range strings.SplitSeq(drawing, "\n") {
		if strings.Contains(line, part) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func wants(t *testing.T, drawing string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(drawing, part) {
			t.Errorf("%q is not drawn:\n%s", part, drawing)
		}
	}
}

func lacks(t *testing.T, drawing string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(drawing, part) {
			t.Errorf("%q is drawn:\n%s", part, drawing)
		}
	}
}

// say is n lines of the log from one on.
func say(from, n int) []event.Event {
	var out []event.Event
	for i := range n {
		out = append(out, event.Warned{Arm: "base", Code: "code", Text: fmt.Sprintf("warning %03d", from+i)})
	}
	return out
}
