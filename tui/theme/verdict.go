package theme

import "verge/domains"

// Verdict is the glyph and the style of an attempt's grading.
func Verdict(v domains.Verdict) (glyph string, token Token) {
	switch v {
	case domains.Right:
		return Pass, Good
	case domains.Wrong:
		return Fail, Bad
	case domains.Error:
		return Broken, Warn
	}
	return Unknown, Warn
}
