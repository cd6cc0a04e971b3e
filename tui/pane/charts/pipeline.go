package charts

import (
	"fmt"

	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// pipelinePane shows the recipe's stages as the paper draws them, with what went through each and what was dropped, and what the run costs.
type pipelinePane struct{ pane.Still }

func newPipeline() pipelinePane { return pipelinePane{} }

func (pipelinePane) Name() string { return "pipeline" }

func (pipelinePane) Title(c pane.Context) string {
	if c.Run == nil {
		return "pipeline"
	}
	return "pipeline · " + text.Safe(c.Run.Recipe) + " · " + text.Safe(c.Arm)
}

func (pipelinePane) View(c pane.Context, width, height int) []string {
	a := looked(c)
	if a == nil {
		return pane.Nothing(c, width, "The stages of the recipe with live counts: what was proposed, what of it is valid, what was graded, what is in the band; what runs now, how long "+
			"it will take, and what it costs in attempts of the solver.", "It fills as soon as the run has started.")
	}
	stages := stagesOf(c, a)
	foot := pipelineFoot(c, a, width)
	room := height - len(foot)
	if room < len(stages) {
		foot = foot[:max(0, min(len(foot), height-len(stages)))]
		room = height - len(foot)
	}
	lines := drawStages(c, stages, width, room)
	if arms := armTable(c, width); len(c.Arms) > 1 && len(lines)+len(arms)+2 <= room {
		lines = append(append(lines, ""), arms...)
	}
	if len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}

// drawStages draws stages in the most detail that has room: as boxes and arrows, as a line of arrows each, or as a line each.
func drawStages(c pane.Context, stages []stage, width, height int) []string {
	for _, style := range []struct {
		draw func(pane.Context, stage, int) []string
		gap  int
	}{{boxes, 1}, {boxes, 0}, {flow, 1}, {flow, 0}} {
		var lines []string
		for i, s := range stages {
			part := style.draw(c, s, width)
			if part == nil {
				lines = nil
				break
			}
			if i > 0 && style.gap > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, part...)
		}
		if lines != nil && len(lines) <= height {
			return lines
		}
	}
	// Of stages that have no room, those that run or are next matter more than those that are done.
	first := 0
	for i, s := range stages {
		if s.state != "" && i >= height {
			first = i - height + 1
		}
	}
	var lines []string
	for _, s := range stages[first:] {
		lines = append(lines, brief(c, s, width))
	}
	return lines
}

// title is a stage's mark, name and what it does.
func (s stage) title(c pane.Context, width int) string {
	glyph, token := pane.Mark(s.state)
	line := c.Paint(token, glyph+" ") + c.Paint(theme.Strong, s.name)
	if s.what != "" {
		line += note(c, "  "+s.what)
	}
	switch {
	case s.done > s.total: // an arm with a budget announces no more than it is sure of
		line += note(c, fmt.Sprintf("  %s %s", figure.Count(s.done), s.unit))
	case s.total > 0:
		line += note(c, fmt.Sprintf("  %s of %s %s", figure.Count(s.done), figure.Count(s.total), s.unit))
	}
	return text.Cut(line, width)
}
