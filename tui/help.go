package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/text"
	"verge/tui/theme"
)

// help shows what every key does here, from the table of bindings.
type help struct{ at int }

func (h *help) key(a *app, k tea.KeyMsg) (bool, tea.Cmd) {
	action, _ := keys.Bindings.Find(k.String(), keys.Scroll, keys.App)
	page := max(1, a.height-4)
	switch action {
	case keys.Up:
		h.at--
	case keys.Down:
		h.at++
	case keys.PageUp:
		h.at -= page
	case keys.PageDown:
		h.at += page
	case keys.Top:
		h.at = 0
	case keys.Bottom:
		h.at = 1 << 30
	case keys.Help, keys.Back, keys.Quit:
		return true, nil
	}
	return false, nil
}

// headings name the scopes for a person; a pane's is its name.
var headings = map[keys.Scope]string{keys.App: "Everywhere", keys.Run: "A run", keys.Replay: "A replay", keys.Scroll: "What scrolls"}

func (h *help) lines(a *app, width, height int) []string {
	t := a.env.Theme
	var out []string
	for _, scope := range append(a.top().Scopes(), keys.App) {
		bindings := keys.Bindings.Of(scope)
		if len(bindings) == 0 {
			continue
		}
		heading := headings[scope]
		if heading == "" {
			heading = strings.ToUpper(string(scope[:1])) + string(scope[1:])
		}
		out = append(out, "", t.Paint(theme.Strong, " "+heading))
		for _, b := range bindings {
			names := make([]string, len(b.Keys))
			for i, key := range b.Keys {
				names[i] = keys.Name(key)
			}
			explained := b.Help
			if why := a.top().Refusal(b.Action); why != "" && scope != keys.App {
				explained += " — not now: " + why
			}
			for i, line := range text.Wrap(explained, max(10, width-18)) {
				label := ""
				if i == 0 {
					label = strings.Join(names, " ")
				}
				out = append(out, "   "+t.Paint(theme.Accent, text.Fit(label, 13))+" "+line)
			}
		}
	}
	out = append(out, "", t.Paint(theme.Strong, " Glyphs"))
	for _, line := range text.Wrap(glyphs(), width-4) {
		out = append(out, "   "+line)
	}
	h.at = max(0, min(h.at, len(out)-height))
	return out[h.at:]
}

func glyphs() string {
	return strings.Join([]string{
		theme.Pass + " right, passed", theme.Fail + " wrong, refused, failed", theme.Unknown + " undecided", theme.Broken + " error", theme.InBand + " in band",
		theme.Running + " running", theme.Paused + " paused", theme.Done + " done", theme.Stopped + " interrupted", theme.Waiting + " to come",
	}, "  ")
}
