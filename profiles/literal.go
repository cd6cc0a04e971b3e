package profiles

import (
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// longest value, in runes, that an error shows whole.
const longest = 80

// literal writes a value as TOML on one line, for a message; "" for tables, which have no such form.
func literal(value any) string {
	switch value.(type) {
	case map[string]any, []map[string]any:
		return ""
	}
	return shortened(element(value))
}

// element writes a value that may be part of a list.
func element(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "{…}"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = element(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, err := toml.Marshal(map[string]any{"v": value})
	if err != nil {
		panic("profiles: a value that came from TOML cannot be written as TOML: " + err.Error())
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(text), "v = "), "\n")
}

func shortened(s string) string {
	if utf8.RuneCountInString(s) <= longest {
		return s
	}
	return string([]rune(s)[:longest]) + "…"
}
