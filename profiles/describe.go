package profiles

import (
	"regexp"
	"strings"
	"sync"
)

// Section is a table of the schema, for a form that shows its keys.
type Section struct {
	Name    string // dotted; "" of the keys that stand before any table
	Meaning string // as reference.toml explains it
	Keys    []Key
}

// Key is a key of the schema.
type Key struct {
	Name    string // dotted
	Meaning string // what it means and what it may be, as reference.toml explains it
	Default string // as TOML
}

// Sections is the schema in its order.
func Sections() []Section {
	var sections []Section
	said := reference()
	for _, f := range fields(Default()) {
		table, _ := split(f.key)
		if n := len(sections); n == 0 || sections[n-1].Name != table {
			sections = append(sections, Section{Name: table, Meaning: said[table]})
		}
		s := &sections[len(sections)-1]
		s.Keys = append(s.Keys, Key{f.key, said[f.key], element(f.value)})
	}
	return sections
}

// Value is the value of a key as TOML, which --set takes; "" of a key that does not exist.
func (p *Profile) Value(key string) string {
	for _, f := range fields(p) {
		if f.key == key {
			return element(f.value)
		}
	}
	return ""
}

// armMeaning is a line of the list of arms in the comment of run.arms.
var armMeaning = regexp.MustCompile(`^ +"([^"]+)" +(.+)$`)

// ArmMeaning says what an arm of a recipe does; "" of an arm that does not exist.
func ArmMeaning(recipe, arm string) string {
	of := ""
	for line := range strings.Lines(reference()["run.arms"]) {
		line = strings.TrimSuffix(line, "\n")
		if before, found := strings.CutSuffix(line, ":"); found {
			words := strings.Fields(before)
			of = words[len(words)-1]
		}
		if m := armMeaning.FindStringSubmatch(line); m != nil && m[1] == arm && of == recipe {
			return m[2]
		}
	}
	return ""
}

// reference is the comments of reference.toml by key and table. A line that is indented begins a line of its own.
var reference = sync.OnceValue(func() map[string]string {
	text, err := shipped.ReadFile("reference.toml")
	if err != nil {
		panic("profiles: the embedded reference cannot be read: " + err.Error())
	}
	said, table, comment := map[string]string{}, "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		words, isComment := strings.CutPrefix(line, "#")
		switch {
		case isComment && strings.HasPrefix(words, "  "):
			comment += "\n" + words
		case isComment:
			comment = strings.TrimSpace(comment + words)
		case strings.HasPrefix(line, "["):
			table = strings.Trim(line, "[]")
			said[table], comment = comment, ""
			table += "."
		case strings.Contains(line, "="):
			key := strings.TrimSpace(line[:strings.Index(line, "=")])
			said[table+key], comment = comment, ""
		default:
			comment = ""
		}
	}
	return said
})
