package profiles

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// Plain is a TOML value without the quotes and brackets that --set needs none of.
func Plain(value string) string {
	var doc struct{ V any }
	if _, err := toml.Decode("V = "+value, &doc); err != nil {
		return value
	}
	switch v := doc.V.(type) {
	case string:
		if bare(v) {
			return v
		}
	case []any:
		var words []string
		for _, x := range v {
			s, ok := x.(string)
			if !ok || !bare(s) {
				return value
			}
			words = append(words, s)
		}
		if len(words) > 0 {
			return strings.Join(words, ",")
		}
	}
	return value
}

// bare says that a text is read as itself without quotes, in a list too. One with an edge of quotes or brackets, or of spaces, would not be.
func bare(s string) bool {
	var doc struct{ V any }
	_, err := toml.Decode("V = "+s, &doc)
	return s != "" && err != nil && strings.TrimSpace(s) == s && !strings.ContainsAny(s, ",[]{}\"'\\\n\t")
}
