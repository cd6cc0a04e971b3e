package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"verge/runner/store"
)

// RunsTable writes a list of runs for a person to read.
func RunsTable(w io.Writer, runs []store.RunInfo) error {
	var cells [][]string
	for _, r := range runs {
		cells = append(cells, []string{
			clean(r.Run), string(r.State), r.Started.Format(time.RFC3339), clean(r.Profile), clean(r.Recipe), clean(r.Domain),
			fmt.Sprint(r.Seed), clean(r.Headline),
		})
	}
	if len(cells) == 0 {
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	var b bytes.Buffer
	grid(&b, []string{"run", "state", "started", "profile", "recipe", "domain", "seed", "headline"}, cells)
	_, err := w.Write(bytes.TrimLeft(b.Bytes(), "\n"))
	return err
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
