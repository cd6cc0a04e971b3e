package profiles

import "strings"

// setPlace is the place of what the command line sets.
const setPlace = "--set"

// Error is one thing wrong with a request for a profile. Load joins all it finds; each is an *Error.
type Error struct {
	Place   string // FILE:LINE as the user wrote FILE, --set, --axis, or the name that was asked for
	Key     string // dotted, "" where no key is concerned
	Value   string // as TOML, or as typed after --set; "" for a table
	Problem string // what is wrong
	Fix     string // the nearest key, the allowed values, or what to do
}

// Error is PLACE: KEY = VALUE: PROBLEM; FIX, and for what the command line set --set KEY=VALUE: PROBLEM; FIX.
func (e *Error) Error() string {
	var b strings.Builder
	value := strings.ReplaceAll(e.Value, "\n", `\n`) // an error is a line
	b.WriteString(e.Place)
	switch {
	case e.Place == setPlace || e.Place == axisPlace:
		b.WriteString(" " + strings.TrimPrefix(e.Key, axesKey+"."))
		if value != "" {
			b.WriteString("=" + value)
		}
	case e.Key != "" && value != "":
		b.WriteString(": " + e.Key + " = " + value)
	case e.Key != "" || value != "":
		b.WriteString(": " + e.Key + value)
	}
	b.WriteString(": " + e.Problem)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}
