package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"verge/runner/store"
)

// wideRuns is the width from which on a list of runs has all of its columns.
const wideRuns = 130

// mostSettings is how many columns the settings of a run take at the most; RunsJSON has them whole.
const mostSettings = 40

// RunsTable writes a list of runs for a person to read. A narrow one leaves out what a run's name tells, its start and its profile, and the
// recipe and the domain that go with the profile. What was set over the profile is shown where that was done for any.
func RunsTable(w io.Writer, runs []store.RunInfo, style Style) error {
	headings := []string{"run", "state", "started", "profile", "recipe", "domain", "seed"}
	narrow := style.Width > 0 && style.Width < wideRuns
	if narrow {
		headings = []string{"run", "state", "seed"}
	}
	set := slices.ContainsFunc(runs, func(r store.RunInfo) bool { return len(r.Settings) > 0 })
	if set {
		headings = append(headings, "settings")
	}
	headings = append(headings, "headline")
	var cells [][]string
	for _, r := range store.TellApart(runs) {
		row := []string{clean(r.Run), string(r.State)}
		if !narrow {
			row = append(row, r.Started.Format(time.RFC3339), clean(r.Profile), clean(r.Recipe), clean(r.Domain))
		}
		row = append(row, fmt.Sprint(r.Seed))
		if set {
			row = append(row, ansi.Truncate(clean(strings.Join(r.Settings, " ")), mostSettings, "…"))
		}
		cells = append(cells, append(row, clean(r.Headline)))
	}
	if len(cells) == 0 {
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	p := &page{style: style}
	p.grid(len(headings)-1, headings, cells)
	p.Next(len("\n"))
	return p.print(w)
}

// RunsJSON writes a list of runs as one line of JSON, in the order given.
func RunsJSON(w io.Writer, runs []store.RunInfo) error {
	list := struct {
		Runs []store.RunInfo `json:"runs"`
	}{append([]store.RunInfo{}, runs...)}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(list)
}
