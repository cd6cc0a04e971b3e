package chart

import (
	"strings"

	"verge/tui/theme"
)

// Gauge is a share as a bar of width cells.
func Gauge(t *theme.Theme, share float64, width int) string {
	n := min(width, max(0, int(share*float64(width)+0.5)))
	return t.Paint(theme.Accent, strings.Repeat("━", n)) + t.Paint(theme.Border, strings.Repeat("╌", width-n))
}
