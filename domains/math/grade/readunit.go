package grade

import (
	"fmt"
	"strings"
)

// powersInWords are the words for powers of the unit after them, or before them.
var powersInWords = map[string]string{"square": "2", "sq": "2", "squared": "2", "cubic": "3", "cu": "3", "cubed": "3"}

// readUnit reads the unit after an amount and spells it canonically: cm^2 for square centimetres, m/s for metres per second.
func readUnit(tokens []token) (string, error) {
	var parts []string
	pending := ""
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		lower := strings.ToLower(t.text)
		switch {
		case t.is("{") || t.is("}") || t.is("*") || t.is(".") || t.is("-"):
		case t.is("/") || lower == "per" && t.kind == wordToken:
			parts = append(parts, "/")
		case powersInWords[lower] != "":
			if power := powersInWords[lower]; strings.HasSuffix(lower, "ed") {
				if len(parts) == 0 {
					return "", fmt.Errorf("%q follows no unit", t.text)
				}
				parts[len(parts)-1] += "^" + power
			} else {
				pending = "^" + power
			}
		case t.is("^"):
			for i+1 < len(tokens) && (tokens[i+1].is("{") || tokens[i+1].is("-")) {
				i++
			}
			if i+1 >= len(tokens) || tokens[i+1].kind != numberToken || len(parts) == 0 {
				return "", fmt.Errorf("an exponent of a unit is no number")
			}
			i++
			sign := ""
			if tokens[i-1].is("-") {
				sign = "-"
			}
			parts[len(parts)-1] += "^" + sign + tokens[i].text
		case t.kind == wordToken, t.kind == letterToken:
			parts = append(parts, unitName(t.text)+pending)
			pending = ""
		case t.is("°"):
			parts = append(parts, "°")
		case t.is("$"):
			parts = append(parts, "$")
		default:
			return "", fmt.Errorf("unexpected %q in a unit", t.text)
		}
	}
	if len(parts) > 8 || pending != "" || len(parts) == 0 {
		return "", fmt.Errorf("%q is no unit", spell(tokens))
	}
	return compound(strings.Join(parts, " ")), nil
}

// compound spells speeds that have a name of their own as the quotient that they are.
func compound(unit string) string {
	unit = strings.ReplaceAll(unit, " / ", "/")
	switch unit {
	case "mph":
		return "mi/h"
	case "kmh":
		return "km/h"
	case "per cent":
		return "%"
	}
	return unit
}
