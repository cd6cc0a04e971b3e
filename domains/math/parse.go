package math

import "strings"

const (
	// MaxBytes is the length of the longest statement.
	MaxBytes = 64
	// MaxDigits is the number of digits of the longest number in a statement; a longer one is malformed.
	MaxDigits = 9
	// MaxValue bounds the magnitude of an answer and of every intermediate value; a statement that exceeds it is not gradable.
	MaxValue = 1_000_000_000
)

// question is a parsed statement of one syntax.
type question interface {
	// kind is the task type.
	kind() string
	// answer is the one integer that answers the question, or why there is none.
	answer() (int64, *fault)
	// work lists the equations of a worked solution of an answerable question, the bare answer not included.
	work() []string
	// hints are what may help, the most telling first; the last has no digits, so that it cannot give the answer away.
	hints() []string
	// operations counts the arithmetic operations asked for.
	operations() int
}

// parsed is a valid statement.
type parsed struct {
	question question
	answer   int64
}

// parse reads a statement and answers it. It is linear in the statement's length but for arithmetic on bounded integers.
func parse(statement string) (parsed, *fault) {
	q, f := read(statement)
	if f != nil {
		return parsed{}, f
	}
	v, f := q.answer()
	if f != nil {
		return parsed{}, f
	}
	if v > MaxValue || v < -MaxValue {
		return parsed{}, tooLarge(v)
	}
	return parsed{q, v}, nil
}

func tooLarge(v int64) *fault {
	return faultf(NotGradable, "the value %d is beyond ±%d; use smaller numbers", v, int64(MaxValue))
}

// read finds the syntax that a statement is written in, by what only that syntax contains.
func read(s string) (question, *fault) {
	switch {
	case s == "":
		return nil, faultf(Malformed, "the statement is empty")
	case len(s) > MaxBytes:
		return nil, faultf(Malformed, "the statement has %d bytes; at most %d are allowed", len(s), MaxBytes)
	}
	letters := false
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' {
			return nil, faultf(Malformed, "byte %d is %#02x; only printable ASCII is allowed", i, c)
		}
		letters = letters || c >= 'a' && c <= 'z'
	}
	switch {
	case s[0] >= 'A' && s[0] <= 'Z':
		return readStory(s)
	case letters && openQuestion.MatchString(s):
		return nil, faultf(NotGradable, "%q asks for words, not for a number", s)
	case letters && callPattern.MatchString(s):
		return readCall(s)
	case strings.Contains(s, "of"):
		return readFraction(s)
	case letters || strings.Contains(s, "="):
		return readSystem(s)
	case strings.Contains(s, ","):
		return readSequence(s)
	default:
		return readExpression(s)
	}
}
