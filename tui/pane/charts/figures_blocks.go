package charts

import (
	"slices"
	"strings"

	"verge/tui/text"
)

// block is a part of a pane that can be drawn in more or in fewer lines.
type block struct {
	rank     int // the parts of small rank get room first
	min, max int // lines it needs, and can make use of
	draw     func(width, height int) []string
}

// blockGap is the cells between two columns of blocks, and blockWidth the least width of a column.
const (
	blockGap   = 3
	blockWidth = 56
)

// arrange draws the blocks that have room: in as many columns as the width has room for, at most wanted.
func arrange(width, height, wanted int, blocks ...block) []string {
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.max == 0 })
	columns := max(1, min(wanted, len(blocks), (width+blockGap)/(blockWidth+blockGap)))
	if columns == 1 {
		return stack(width, height, blocks)
	}
	drawn := make([]string, columns)
	rest := blocks
	left := width
	for i := range columns {
		n := (len(rest) + columns - i - 1) / (columns - i)
		w := (left - blockGap*(columns-i-1)) / (columns - i)
		drawn[i] = text.Box(stack(w, height, rest[:n]), w, height)
		rest, left = rest[n:], left-w-blockGap
	}
	return strings.Split(text.Beside(strings.Repeat(" ", blockGap), drawn...), "\n")
}

// stack draws the blocks that have room below each other, in their order: those of small rank are given their least lines first, and then
// what they can make use of. Where lines are left over, a blank one goes between two blocks.
func stack(width, height int, blocks []block) []string {
	byRank := make([]int, len(blocks))
	for i := range byRank {
		byRank[i] = i
	}
	slices.SortStableFunc(byRank, func(i, j int) int { return blocks[i].rank - blocks[j].rank })
	lines := make([]int, len(blocks))
	count := 0
	for _, i := range byRank {
		if blocks[i].min <= height {
			lines[i] = blocks[i].min
			height -= blocks[i].min
			count++
		}
	}
	gap := 0
	if count > 1 && height >= count-1 {
		gap = 1
		height -= count - 1
	}
	for grown := true; grown && height > 0; {
		grown = false
		for _, i := range byRank {
			if lines[i] > 0 && lines[i] < blocks[i].max && height > 0 {
				lines[i]++
				height--
				grown = true
			}
		}
	}
	var out []string
	for i, b := range blocks {
		if lines[i] == 0 {
			continue
		}
		if len(out) > 0 && gap > 0 {
			out = append(out, "")
		}
		drawn := b.draw(width, lines[i])
		out = append(out, drawn[:min(len(drawn), lines[i])]...)
	}
	return out
}
