package profiles

import (
	"slices"
	"strconv"
)

// Think is whether a model thinks before it replies, and how much where it has levels. The values are those of package ollama; "" is false.
type Think string

const thinkOn Think = "on"

// thinkLevels are those of models such as gpt-oss.
var thinkLevels = []string{"low", "medium", "high"}

// MarshalTOML writes false, true or the level.
func (t Think) MarshalTOML() ([]byte, error) {
	switch t {
	case "":
		return []byte("false"), nil
	case thinkOn:
		return []byte("true"), nil
	}
	return []byte(strconv.Quote(string(t))), nil
}

func asThink(v any) (Think, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return thinkOn, true
		}
		return "", true
	case string:
		return Think(v), slices.Contains(thinkLevels, v)
	}
	return "", false
}

func thinking() rule {
	return rule{"true, false, " + quoted(thinkLevels), notAllowed, func(any) bool { return true }}
}
