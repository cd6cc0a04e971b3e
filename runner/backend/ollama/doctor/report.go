// Package doctor finds out what an Ollama server and its models can do for a run, by asking them, and what to do about what they cannot.
package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"verge/runner/backend/ollama"
)

// State is the result of a check.
type State string

// The states.
const (
	OK      State = "ok"
	Missing State = "missing" // not there: a server, a model, a capability
	Failed  State = "failed"  // there, and it did not work
)

// Check is one thing that was looked at.
type Check struct {
	Name    string `json:"name"`
	Model   string `json:"model,omitempty"` // "" where the server or this machine is meant
	State   State  `json:"state"`
	Found   string `json:"found"`
	Meaning string `json:"meaning"`       // for the roles of a profile
	Fix     string `json:"fix,omitempty"` // "" where nothing is to be done
}

// Report is all that was looked at, in order, with what the models' provenance is made of.
type Report struct {
	Host   string        `json:"host"`
	Server string        `json:"server,omitempty"` // its version; "" where none answers
	Models []ollama.Info `json:"models,omitempty"` // that were examined
	Checks []Check       `json:"checks"`
}

// WriteJSON writes the report as one JSON object.
func (r Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report as a table for a terminal: a line for each check, below it what it means and what is to be done.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	model := ""
	for _, c := range r.Checks {
		if c.Model != model {
			model = c.Model
			fmt.Fprintf(&b, "\n%s\n", printable(model))
		}
		wrapped(&b, fmt.Sprintf("%-8s %-18s ", c.State, c.Name), c.Found)
		below := strings.Repeat(" ", indent)
		wrapped(&b, below, c.Meaning)
		if c.Fix != "" {
			wrapped(&b, below, "fix: "+c.Fix)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Columns of the table.
const (
	indent = 28
	width  = 79
)

// wrapped writes a text after head, which is as wide as the indent, in lines of at most width columns; nothing where there is no text.
func wrapped(b *strings.Builder, head, text string) {
	line := ""
	flush := func() {
		fmt.Fprintf(b, "%s%s\n", head, line)
		head = strings.Repeat(" ", indent)
	}
	words := strings.Fields(printable(text))
	if len(words) == 0 {
		return
	}
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > width-indent:
			flush()
			line = word
		default:
			line += " " + word
		}
	}
	flush()
}

// printable replaces what a server's text could do to a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == ' ' {
			return r
		}
		return '\uFFFD'
	}, text)
}
