package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"verge/runner/lab"
)

// runLine is a run's reading in the longest form that a terminal of the width has room for, the shortest where there is none; without a bar
// where the width is 0.
func runLine(r lab.Reading, now time.Time, width int) string {
	if width == 0 {
		return progressLine(r, now, 0)
	}
	return fitting(width, progressLine(r, now, 20), progressLine(r, now, 0), shortLine(r))
}

// fitting is the first form that fits into the width, or else the last.
func fitting(width int, forms ...string) string {
	for _, form := range forms {
		if ansi.StringWidth(form) <= width {
			return form
		}
	}
	return forms[len(forms)-1]
}

// progressLine is a reading in one line: stage, how far, rate, time left. bar is the width of a bar, 0 for none.
func progressLine(r lab.Reading, now time.Time, bar int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s ", stageName(r))
	if bar > 0 {
		full := 0
		if r.Total > 0 {
			full = min(bar, bar*r.Done/r.Total)
		}
		b.WriteString("[" + strings.Repeat("#", full) + strings.Repeat("-", bar-full) + "] ")
	}
	fmt.Fprintf(&b, "%d/%d %s", r.Done, r.Total, r.Unit)
	spent := now.Sub(r.Began)
	if spent > 0 && r.Tokens > 0 {
		fmt.Fprintf(&b, "  %.0f tokens/s", float64(r.Tokens)/spent.Seconds())
	}
	if r.Done > 0 && r.Done < r.Total {
		left := time.Duration(float64(spent) / float64(r.Done) * float64(r.Total-r.Done))
		fmt.Fprintf(&b, "  %s left", left.Round(time.Second))
	}
	return b.String()
}

// shortLine is a reading's stage and how far it is.
func shortLine(r lab.Reading) string {
	return fmt.Sprintf("%s %d/%d", stageName(r), r.Done, r.Total)
}

func stageName(r lab.Reading) string {
	if r.Stage == r.Arm {
		return r.Arm
	}
	return r.Arm + " " + r.Stage
}
