package profiles

import (
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// parseSet reads one KEY=VALUE of the command line. A value is TOML; what is no TOML is a text, so that a shell needs no second quotes.
// The key's type decides where both are possible: a text takes everything as it stands, and a list without brackets is split at commas.
func parseSet(set string) entry {
	key, text, ok := strings.Cut(set, "=")
	key = strings.TrimSpace(key)
	refuse := func(problem, fix string) entry {
		return entry{err: &Error{setPlace, key, text, problem, fix}}
	}
	field, isKey := keys[key]
	example, isTable := tables[key]
	switch {
	case !ok:
		return refuse("no value", "write KEY=VALUE")
	case !utf8.ValidString(set):
		return refuse("not UTF-8", "write it in UTF-8")
	case key == extendsKey:
		return refuse("only a file can extend a profile", "name the profile itself, or a file with this line")
	case isTable:
		return refuse("not a key but a table", "set its keys, such as "+example)
	case !isKey:
		return refuse("unknown key", "nearest is "+nearest(key, keys))
	}
	return entry{key: key, value: setValue(field, strings.TrimSpace(text)), place: setPlace, text: text}
}

// setValue reads the text as a value of the type that field points to.
func setValue(field any, text string) any {
	switch field.(type) {
	case *string:
		if s, ok := parseValue(text).(string); ok {
			return s
		}
		return text
	case *[]string, *[]float64, *Seeds:
		if _, count := field.(*Seeds); strings.HasPrefix(text, "[") || count && !strings.Contains(text, ",") {
			return parseValue(text)
		}
		var list []any
		for part := range strings.SplitSeq(text, ",") {
			list = append(list, parseValue(strings.TrimSpace(part)))
		}
		return list
	}
	return parseValue(text)
}

// parseValue is a TOML value, or the text itself when it is none. A comment is no part of a value: what comes after it would be lost, and
// what was meant is not known.
func parseValue(text string) any {
	var doc map[string]any
	if _, err := toml.Decode("v = "+text, &doc); err != nil || len(doc) != 1 {
		return text
	}
	if _, err := toml.Decode("v = "+text+" and more", &doc); err == nil { // which only a comment takes
		return text
	}
	return doc["v"]
}
