package grade

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// numeral is a number as written, with what decides whether it may stand for a rounded value.
type numeral struct {
	raw   string   // the characters that make it up, separators removed
	value *big.Rat // its exact value
	point bool     // written with a decimal point
	exact bool     // a repeating decimal: exact although written with a point
	ulp   *big.Rat // one unit of the last written digit
	sig   int      // significant digits
}

// integer tells whether a numeral is written as digits alone.
func (n *numeral) integer() bool { return !n.point && isDigits(n.raw) }

// scanNumeral reads the numeral that text starts with, and returns how many bytes it took. Commas group digits only where grouping is
// true; thin spaces and braced commas always do.
func scanNumeral(text string, grouping bool) (*numeral, int, error) {
	whole, at := scanGrouped(text, grouping)
	fraction, repeat, exponent := "", "", 0
	point := false
	if at+1 < len(text) && text[at] == '.' && (isDigit(text[at+1]) || repeating(text[at+1:]) != "") {
		point = true
		at++
		fraction = digitsOf(text[at:])
		at += len(fraction)
		if mark := repeating(text[at:]); mark != "" {
			at += len(mark)
			repeat = digitsOf(mark[strings.IndexByte(mark, '{')+1:])
		}
	}
	if n := exponentLength(text[at:]); n > 0 && repeat == "" {
		value, err := strconv.Atoi(text[at+1 : at+n])
		if err != nil || value > maxDigits || value < -maxDigits {
			return nil, 0, fmt.Errorf("exponent %s is beyond ±%d", text[at+1:at+n], maxDigits)
		}
		exponent = value
		at += n
	}
	if len(whole)+len(fraction) > maxDigits {
		return nil, 0, fmt.Errorf("number of more than %d digits", maxDigits)
	}
	digits := new(big.Int)
	digits.SetString("0"+whole+fraction, 10)
	ulp := powerOfTen(exponent - len(fraction))
	value := new(big.Rat).Mul(new(big.Rat).SetInt(digits), ulp)
	if repeat != "" {
		period := new(big.Int)
		period.SetString(repeat, 10)
		nines := new(big.Int).Sub(powerOfTen(len(repeat)).Num(), big.NewInt(1))
		tail := new(big.Rat).SetFrac(period, nines)
		value.Add(value, tail.Mul(tail, ulp))
	}
	return &numeral{
		raw: text[:at], value: value, point: point, exact: repeat != "", ulp: ulp,
		sig: len(strings.TrimLeft(whole+fraction, "0")),
	}, at, nil
}

// scanGrouped reads digits, in groups of three where separators stand between them, and returns them without separators.
func scanGrouped(text string, grouping bool) (digits string, n int) {
	digits = digitsOf(text)
	n = len(digits)
	if n == 0 || n > 3 || digits[0] == '0' {
		return digits, n
	}
	grouped, at := digits, n
	for {
		sep := separatorLength(text[at:], grouping)
		if sep == 0 {
			break
		}
		group := digitsOf(text[at+sep:])
		if len(group) != 3 {
			// A run such as 1,234,5 is a list all through, not a grouped number and one more.
			if text[at:at+sep] == "," && len(group) > 0 {
				return digits, n
			}
			break
		}
		grouped += group
		at += sep + 3
	}
	return grouped, at
}

// separatorLength is the length of a thousands separator at the start of text, or 0.
func separatorLength(text string, grouping bool) int {
	for _, sep := range []string{"{,}", `,\!`, `{,\!}`, `\,`, `\!`} {
		if strings.HasPrefix(text, sep) {
			return len(sep)
		}
	}
	if grouping && strings.HasPrefix(text, ",") {
		return 1
	}
	return 0
}

// repeating returns the mark of a repeating decimal at the start of text, such as \overline{142857}, or "".
func repeating(text string) string {
	for _, mark := range []string{`\overline{`, `\bar{`, `\dot{`} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			n := len(digitsOf(rest))
			if n > 0 && n < len(rest) && rest[n] == '}' {
				return text[:len(mark)+n+1]
			}
		}
	}
	return ""
}

// exponentLength is the length of a scientific exponent such as e-7 at the start of text, or 0.
func exponentLength(text string) int {
	if text == "" || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	at := 1
	if at < len(text) && (text[at] == '-' || text[at] == '+') {
		at++
	}
	n := len(digitsOf(text[at:]))
	if n == 0 {
		return 0
	}
	return at + n
}

// powerOfTen is 10^k for a k of either sign.
func powerOfTen(k int) *big.Rat {
	size := k
	if size < 0 {
		size = -size
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(size)), nil)
	if k < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power)
	}
	return new(big.Rat).SetInt(power)
}

func digitsOf(text string) string {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return text[:n]
}

func isDigits(text string) bool { return text != "" && len(digitsOf(text)) == len(text) }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
