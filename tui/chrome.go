package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"verge/tui/keys"
	"verge/tui/layout"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/text"
	"verge/tui/theme"
)

// sayFor is how long a sentence stays in the footer.
const sayFor = 6 * time.Second

func sizes(width, height int) string {
	return fmt.Sprintf("Verge needs %d × %d cells; this terminal has %d × %d.\nMake it larger, or leave with q.", layout.MinWidth, layout.MinHeight, width, height)
}

func (a *app) header() string {
	t := a.env.Theme
	return t.Paint(theme.Accent, " verge ") + t.Paint(theme.Strong, a.top().Title())
}

// footer shows what was said last, in as many lines as it takes, since what to do about an error comes at its end; or the keys that hold.
func (a *app) footer() []string {
	const most = 4
	if a.said.Text == "" || a.env.Now().Sub(a.saidAt) >= sayFor {
		return []string{a.hints()}
	}
	said := rows.Cell{Text: a.said.Text, Token: theme.Text}
	if a.said.Bad {
		said = rows.Cell{Text: theme.Broken + " " + a.said.Text, Token: theme.Bad}
	}
	lines := rows.Paragraphs(a.env.Theme, []rows.Cell{said}, a.width-1, most)
	for i, line := range lines {
		lines[i] = " " + line
	}
	return lines
}

// hints are the keys that hold, as many as have room.
func (a *app) hints() string {
	t := a.env.Theme
	if _, ok := a.over.(*help); ok {
		return t.Paint(theme.Muted, " "+keys.Name("up")+" "+keys.Name("down")+" scrolls, "+keys.Name("esc")+" closes")
	}
	if a.over != nil || a.top().Reading() {
		return t.Paint(theme.Muted, " "+keys.Name("esc")+" closes")
	}
	const gap = "  "
	var shown []string
	width := 1
	// Help and quit are always there; the rest has what room is left.
	bindings := keys.Bindings.Of(append(a.top().Scopes(), keys.App)...)
	for _, pass := range []bool{true, false} {
		for _, b := range bindings {
			always := b.Scope == keys.App && (b.Action == keys.Help || b.Action == keys.Quit)
			if !b.Footer || always != pass || a.refused(b) {
				continue
			}
			hint := t.Paint(theme.Accent, b.Show()) + " " + t.Paint(theme.Muted, a.word(b))
			if width+text.Width(hint)+len(gap) > a.width {
				continue
			}
			width += text.Width(hint) + len(gap)
			shown = append(shown, hint)
		}
	}
	return " " + strings.Join(shown, gap)
}

// word is what the footer calls a binding.
func (a *app) word(b keys.Binding) string {
	if w, ok := a.top().(screen.Worder); ok {
		return cmp.Or(w.Word(b.Action), b.Short)
	}
	return b.Short
}

func (a *app) refused(b keys.Binding) bool {
	return b.Scope != keys.App && a.top().Refusal(b.Action) != ""
}
