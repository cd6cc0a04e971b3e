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

// ArmMeaning says what an arm of a recipe does; "" of an arm that does not exist.
func ArmMeaning(recipe, arm string) string { return armMeaning(reference()["run.arms"], recipe, arm) }

// armLine is a line of the list of a recipe's arms in the comment of run.arms, below a line that ends in "Of RECIPE:".
var armLine = regexp.MustCompile(`^ +"([^"]+)" +(.+)$`)

func armMeaning(comment, recipe, arm string) string {
	of := ""
	for line := range strings.SplitSeq(comment, "\n") {
		if before, found := strings.CutSuffix(line, ":"); found {
			of = before[strings.LastIndexByte(before, ' ')+1:]
		}
		if m := armLine.FindStringSubmatch(line); m != nil && m[1] == arm && of == recipe {
			return m[2]
		}
	}
	return ""
}

// reference is the comments of reference.toml by key and table.
var reference = sync.OnceValue(func() map[string]string {
	text, err := shipped.ReadFile("reference.toml")
	if err != nil {
		panic("profiles: the embedded reference cannot be read: " + err.Error())
	}
	return comments(string(text))
})

// comments finds the comment above every key and table. Its lines are joined, but for those that are indented, as in a list: they and
// what follows them stay lines of their own.
func comments(text string) map[string]string {
	said, table, comment, list := map[string]string{}, "", "", false
	keep := func(key string) {
		said[key], comment, list = strings.TrimSpace(comment), "", false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		words, isComment := strings.CutPrefix(line, "#")
		indented := strings.HasPrefix(words, "  ")
		switch {
		case isComment && indented:
			comment, list = comment+"\n"+words, true
		case isComment && list:
			comment, list = comment+"\n"+strings.TrimSpace(words), false
		case isComment:
			comment += words
		case strings.HasPrefix(line, "["):
			table = strings.Trim(line, "[]")
			keep(table)
			table += "."
		case strings.Contains(line, "="):
			keep(table + strings.TrimSpace(line[:strings.IndexByte(line, '=')]))
		default:
			comment, list = "", false
		}
	}
	return said
}
