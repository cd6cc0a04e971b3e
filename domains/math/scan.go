package math

import "math"

// scanner reads a statement byte by byte.
type scanner struct {
	text      string
	at        int
	maxDigits int // of a number
}

// peek is the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// accept steps over the next byte if it is c.
func (s *scanner) accept(c byte) bool {
	if c == 0 || s.peek() != c {
		return false
	}
	s.at++
	return true
}

// expected is the fault of a byte that cannot stand where it does.
func (s *scanner) expected(what string) *fault {
	if s.at == len(s.text) {
		return faultf(Malformed, "%q ends where %s is expected", s.text, what)
	}
	return faultf(Malformed, "%q has %q at byte %d, where %s is expected", s.text, s.peek(), s.at, what)
}

// number reads digits: canonical, so without leading zeros, and not too many.
func (s *scanner) number() (int64, *fault) {
	start, v := s.at, int64(0)
	for isDigit(s.peek()) {
		if s.at-start == s.maxDigits {
			return 0, s.expected("the end of a number")
		}
		d := int64(s.peek() - '0')
		if v > (math.MaxInt64-d)/10 {
			return 0, s.expected("the end of a number")
		}
		v = 10*v + d
		s.at++
	}
	digits := s.at - start
	switch {
	case digits == 0:
		return 0, s.expected("a number")
	case digits > 1 && s.text[start] == '0':
		return 0, faultf(Malformed, "%q has a number with a leading zero at byte %d", s.text, start)
	}
	return v, nil
}

// signed reads a number that may be negative; minus zero is not canonical.
func (s *scanner) signed() (int64, *fault) {
	if !s.accept('-') {
		return s.number()
	}
	start := s.at
	v, f := s.number()
	if f == nil && v == 0 {
		return 0, faultf(Malformed, "%q has a minus zero at byte %d", s.text, start-1)
	}
	return -v, f
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
