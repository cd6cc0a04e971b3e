package grade

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// option reads the letter of a choice: (C), C), C. or \text{C}, and what may follow it.
func (r *reader) option(tokens []token) (reading, bool) {
	letter := func(t token) bool {
		return (t.kind == letterToken || t.kind == wordToken) && len(t.text) == 1 && unicode.IsLetter(rune(t.text[0])) && (t.prose || t.text >= "A" && t.text <= "H")
	}
	n := 0
	var at token
	switch {
	case len(tokens) >= 3 && tokens[0].is("(") && letter(tokens[1]) && tokens[2].is(")"):
		n, at = 3, tokens[1]
	case len(tokens) >= 2 && letter(tokens[0]) && tokens[1].is(")"):
		n, at = 2, tokens[0]
	case len(tokens) == 1 && letter(tokens[0]) && tokens[0].prose:
		n, at = 1, tokens[0]
	default:
		return nil, false
	}
	c := choice{letter: strings.ToLower(at.text)}
	if n == len(tokens) {
		return c, true
	}
	if tokens[n].kind == markToken && !openers[tokens[n].text] && !tokens[n].is("-") && !tokens[n].is("$") && !tokens[n].is("±") {
		return nil, false
	}
	if !at.prose && tokens[n-1].is(")") && n == 3 && !tokens[n].space {
		// (A)(B) and (A)x are products.
		return nil, false
	}
	value, err := r.item(tokens[n:])
	if err != nil {
		return nil, false
	}
	c.says = value
	return c, true
}

// readRatio reads a ratio, or a time with am or pm after it.
func readRatio(parts [][]token) (reading, error) {
	var q ratio
	last := len(parts) - 1
	if rest, suffix, ok := takeHalfDay(parts[last]); ok {
		parts = append(append([][]token(nil), parts[:last]...), rest)
		q.suffix = suffix
	}
	for _, part := range parts {
		x, err := parseExpr(part)
		if err != nil {
			return nil, err
		}
		q.parts = append(q.parts, x)
		q.spelt = append(q.spelt, spell(part))
	}
	return q, nil
}

// takeHalfDay removes am, pm, a.m. or p.m. from the end.
func takeHalfDay(tokens []token) ([]token, string, bool) {
	var b strings.Builder
	for i := len(tokens) - 1; i > 0; i-- {
		t := tokens[i]
		if t.kind == numberToken || t.kind == commandToken {
			break
		}
		if !t.is(".") {
			b.WriteString(strings.ToLower(t.text))
		}
		if s := b.String(); (s == "ma" || s == "mp" || s == "am" || s == "pm") && tokens[i-1].kind == numberToken {
			if s[0] == 'm' {
				s = s[1:] + "m"
			}
			return tokens[:i], s, true
		}
	}
	return nil, "", false
}

// clock tells whether a ratio can be a time of day: two digits after the colon, and no part beyond a clock's.
func (q ratio) clock() bool {
	if len(q.spelt) != 2 || len(q.spelt[1]) != 2 || !isDigits(q.spelt[0]) || !isDigits(q.spelt[1]) {
		return false
	}
	hours, _ := strconv.Atoi(q.spelt[0])
	minutes, _ := strconv.Atoi(q.spelt[1])
	return len(q.spelt[0]) <= 2 && hours <= 24 && minutes < 60
}

// readBased reads a numeral with its base: 52_8, 2A_{16}, 101 base two.
func readBased(tokens []token) (reading, bool, error) {
	split := -1
	for i, t := range tokens {
		if t.is("_") || t.isWord("base") {
			split = i
			break
		}
	}
	if split < 1 {
		return nil, false, nil
	}
	numeral, number := "", false
	written := tokens[:split]
	if inside, open, _, ok := enclosed(written); ok && open == "(" {
		written = inside
	}
	for i, t := range written {
		switch {
		case t.kind == numberToken:
			number = true
			numeral += t.text
		case t.is("-") && i == 0, t.is("."):
			numeral += t.text
		case (t.kind == letterToken || t.kind == wordToken) && strings.ToUpper(t.text) == t.text:
			numeral += strings.ToLower(t.text)
		default:
			return nil, false, nil
		}
	}
	base := 0
	for _, t := range tokens[split+1:] {
		switch {
		case t.is("{") || t.is("}") || t.isWord("base"):
		case base == 0 && t.kind == numberToken && t.num.integer():
			base, _ = strconv.Atoi(t.text)
		case base == 0 && numberWords[strings.ToLower(t.text)] != 0:
			base = numberWords[strings.ToLower(t.text)]
		default:
			return nil, false, nil
		}
	}
	if !number || base < 2 || base > 36 {
		return nil, false, nil
	}
	negative := strings.HasPrefix(numeral, "-")
	digits := strings.TrimLeft(strings.TrimPrefix(numeral, "-"), "0")
	for _, d := range digits {
		if d == '.' {
			continue
		}
		if v, err := strconv.ParseInt(string(d), 36, 64); err != nil || int(v) >= base {
			return nil, true, fmt.Errorf("%q is no digit to the base %d", d, base)
		}
	}
	if negative {
		digits = "-" + digits
	}
	return based{digits, base}, true, nil
}
