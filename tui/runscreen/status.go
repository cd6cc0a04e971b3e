package runscreen

import (
	"fmt"
	"strconv"
	"strings"

	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/rows"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// statusLine says how the run stands: state, arm that is looked at, what runs now, how far it is.
func (s *Screen) statusLine(width int) string {
	t, st := s.env.Theme, s.session.Status()
	glyph, token := pane.Mark(st.State)
	parts := []string{t.Paint(token, glyph+" "+string(st.State))}
	if st.State == session.Loading {
		parts = append(parts, fmt.Sprintf("%.0f %%", 100*st.Loaded))
	}
	if arm := s.armNow(); arm != "" {
		parts = append(parts, t.Paint(theme.Muted, "arm ")+t.Paint(theme.Strong, text.Safe(arm)))
	}
	if r := st.Replay; r.Events > 0 {
		parts = append(parts, chart.Gauge(t, float64(r.At)/float64(r.Events), 12)+fmt.Sprintf(" %s/%s events", figure.Count(r.At), figure.Count(r.Events)), figure.Count(int(r.Speed))+" events/s")
	}
	if p := st.Progress; p.Total > 0 {
		now := text.Safe(p.Arm + " " + p.Stage)
		if p.Stage == p.Arm {
			now = text.Safe(p.Arm)
		}
		parts = append(parts, now+" "+chart.Gauge(t, float64(p.Done)/float64(p.Total), 12)+fmt.Sprintf(" %s/%s %s", figure.Count(p.Done), figure.Count(p.Total), p.Unit))
		if p.Left > 0 {
			parts = append(parts, figure.Clock(p.Left)+" left")
		}
		if p.Tokens > 0 {
			parts = append(parts, figure.Count(int(p.Tokens))+" tokens/s")
		}
	}
	if st.Progress.Elapsed > 0 {
		parts = append(parts, t.Paint(theme.Muted, figure.Clock(st.Progress.Elapsed)))
	}
	return text.Fit(joined(parts, t.Paint(theme.Muted, "  "+theme.Separator+"  "), width), width)
}

// joined are as many of the parts as have room, whole: half a figure says something else.
func joined(parts []string, separator string, width int) string {
	line := " " + parts[0]
	for _, p := range parts[1:] {
		if text.Width(line)+text.Width(separator)+text.Width(p) <= width {
			line += separator + p
		}
	}
	return line
}

// problem is why the run failed, or cannot be shown further, and what to do about it.
func (s *Screen) problem(width int) []string {
	const most = 5
	why := s.session.Status().Error
	if why == "" {
		return nil
	}
	return rows.Paragraphs(s.env.Theme, []rows.Cell{{Text: why, Token: theme.Bad}}, width, most)
}

// tabs names the panes with the digits that focus them.
func (s *Screen) tabs(width int) string {
	t := s.env.Theme
	names := make([]string, len(s.panes))
	for i, p := range s.panes {
		names[i] = p.Name()
	}
	// Where the names have no room, those out of focus are cut alike.
	for cut := 20; cut >= 0; cut-- {
		var b strings.Builder
		for i, name := range names {
			digit := strconv.Itoa((i + 1) % 10)
			if i == s.focus {
				b.WriteString(t.Paint(theme.Focus, " "+theme.Selected+digit+" "+name))
				continue
			}
			if len(name) > cut {
				name = name[:cut]
			}
			b.WriteString(" " + t.Paint(theme.Accent, digit))
			if name != "" {
				b.WriteString(t.Paint(theme.Muted, " "+name))
			}
		}
		if text.Width(b.String()) <= width || cut == 0 {
			return text.Fit(b.String(), width)
		}
	}
	return ""
}
