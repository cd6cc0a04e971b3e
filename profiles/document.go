package profiles

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// extendsKey names the profile that a file overrides. It belongs to files, not to the schema.
const extendsKey = "extends"

// entry is a key that one layer sets, or, with err, something there that is not of the schema.
type entry struct {
	key   string
	value any
	place string
	line  int    // in a file
	text  string // of the value
	err   *Error
}

// document is one TOML file, read as far as the schema's keys.
type document struct {
	extends *entry
	entries []entry // in the order of the lines
}

// parseDocument reads the TOML text of the file that place names.
func parseDocument(place, text string) (*document, error) {
	text = strings.TrimPrefix(text, "\ufeff") // as the library does, so that its positions are offsets into text
	var root map[string]toml.Primitive
	md, err := toml.Decode(text, &root)
	if err != nil {
		return nil, syntaxError(place, text, err)
	}
	r := reader{md: &md, place: place, text: text}
	r.table("", 1, root)
	slices.SortStableFunc(r.found, func(a, b entry) int { return a.line - b.line })
	d := new(document)
	for _, e := range r.found {
		if e.key == extendsKey {
			d.extends = &e
		} else {
			d.entries = append(d.entries, e)
		}
	}
	return d, nil
}

func syntaxError(place, text string, err error) error {
	e := &Error{Place: place, Problem: "not TOML: " + err.Error(), Fix: "write KEY = VALUE lines under [TABLE] lines, texts in quotes"}
	var p toml.ParseError
	if !errors.As(err, &p) {
		return e
	}
	// Position.Line is the line after the one whose end is wrong, and Position.Start is right for all.
	before := text[:min(p.Position.Start, len(text))]
	line, _, _ := strings.Cut(text[strings.LastIndexByte(before, '\n')+1:], "\n")
	e.Place, e.Value = at(place, 1+strings.Count(before, "\n")), shortened(strings.TrimSpace(line))
	e.Problem = "not TOML: " + ends.Replace(strings.TrimSuffix(p.Message, "."))
	return e
}

// ends words the characters by which the library shows that a line or the text is over.
var ends = strings.NewReplacer(`'\n'`, "the end of the line", `'\x00'`, "the end of the file", "unexpected EOF", "unexpected end of the file")

// reader walks a decoded document.
type reader struct {
	md    *toml.MetaData
	place string
	text  string
	found []entry
}

// table reads the keys of a table that starts at a line.
func (r *reader) table(prefix string, line int, table map[string]toml.Primitive) {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.key(prefix, name, line, table[name])
	}
}

func (r *reader) key(prefix, name string, line int, p toml.Primitive) {
	var value any
	if err := r.md.PrimitiveDecode(p, &value); err != nil {
		panic("profiles: decoding into an empty interface failed: " + err.Error())
	}
	if l := r.line(p); l > 0 {
		line = l
	}
	// A quoted name keeps its quotes, so that "a.b" is never taken for b of table a.
	key := prefix + toml.Key{name}.String()
	_, isTable := value.(map[string]any)
	_, isKey := keys[key]
	example, known := tables[key]
	switch {
	case key == axesKey && isTable:
		r.axes(line, p)
	case known && isTable:
		var table map[string]toml.Primitive
		if err := r.md.PrimitiveDecode(p, &table); err != nil {
			panic("profiles: decoding a table failed: " + err.Error())
		}
		r.table(key+".", line, table)
	case known:
		r.refuse(line, key, value, "not a table", "set its keys, such as "+example)
	case isKey || key == extendsKey:
		r.found = append(r.found, entry{key: key, value: value, place: at(r.place, line), line: line, text: literal(value)})
	case isTable:
		r.refuse(line, key, value, "unknown table", "nearest is "+nearest(key, tables))
	default:
		r.refuse(line, key, value, "unknown key", "nearest is "+nearest(key, keys))
	}
}

func (r *reader) refuse(line int, key string, value any, problem, fix string) {
	r.found = append(r.found, entry{line: line, err: &Error{at(r.place, line), key, literal(value), problem, fix}})
}

// line is where the document sets a value; 0 of a table that only dotted keys imply. The library tells positions in its errors
// alone, so it is given a type to decode into that refuses everything.
func (r *reader) line(p toml.Primitive) int {
	_, line := r.position(p)
	return line
}

// position is where a value starts, as an offset into the text, and its line.
func (r *reader) position(p toml.Primitive) (start, line int) {
	var e toml.ParseError
	if !errors.As(r.md.PrimitiveDecode(p, refuser{}), &e) || e.Position.Line == 0 {
		return 0, 0
	}
	// Position.Line is the last line of a text of several lines; Position.Start is right for all.
	start = min(e.Position.Start, len(r.text))
	return start, 1 + strings.Count(r.text[:start], "\n")
}

type refuser struct{}

var errRefused = errors.New("asked for the position")

// UnmarshalTOML refuses every value.
func (refuser) UnmarshalTOML(any) error { return errRefused }

func at(place string, line int) string { return fmt.Sprintf("%s:%d", place, line) }
