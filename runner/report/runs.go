package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"verge/runner/store"
)

// wideRuns is the width from which on a list of runs has all of its columns.
const wideRuns = 130

// RunsTable writes a list of runs for a person to read. A narrow one leaves out what a run's name tells, its start and its profile, and the
// recipe and the domain that go with the profile.
func RunsTable(w io.Writer, runs []store.RunInfo, style Style) error {
	headings := []string{"run", "state", "started", "profile", "recipe", "domain", "seed", "headline"}
	narrow := style.Width > 0 && style.Width < wideRuns
	if narrow {
		headings = []string{"run", "state", "seed", "headline"}
	}
	var cells [][]string
	for _, r := range runs {
		row := []string{clean(r.Run), string(r.State)}
		if !narrow {
			row = append(row, r.Started.Format(time.RFC3339), clean(r.Profile), clean(r.Recipe), clean(r.Domain))
		}
		cells = append(cells, append(row, fmt.Sprint(r.Seed), clean(r.Headline)))
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
