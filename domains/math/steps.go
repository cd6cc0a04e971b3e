package math

import (
	"strings"

	"verge/domains"
)

// stepLimit bounds the values in worked solutions, which may pass through larger ones than a statement does.
const stepLimit = 1 << 61

// stepDigits is the number of digits of stepLimit.
const stepDigits = 19

// stepSeparator stands between the pieces of a worked solution.
const stepSeparator = ";"

// Steps splits an attempt at its semicolons: the last piece is the answer, those before are lines of a worked solution. A
// line is OK when it is an equation that holds between numbers, with an operation on its left. An answer is OK when it is right.
//
// The mode of a line follows from the task's type (an equation's are all inverse_operation, a sequence's pattern, …), then from
// its place (the first line of brackets or of a story), then from its main operation and digits. An answer has the mode
// of the line before it; one without a line before has the mode of the task's dominant difficulty. A line that cannot be read
// has that too.
func (Domain) Steps(t domains.Task, e domains.Episode) []domains.Step {
	pieces := strings.Split(strings.TrimSpace(e.Last()), stepSeparator)
	kind, mode := "", ModeReading
	if p, f := parse(t.Statement); f == nil {
		kind, mode = p.question.kind(), dominantMode(p.question)
	}
	dominant := mode
	var steps []domains.Step
	for i, line := range pieces[:len(pieces)-1] {
		var ok bool
		if mode, ok = modeOfLine(kind, i, line); !ok {
			mode = dominant
		}
		steps = append(steps, domains.Step{Text: line, Mode: mode, OK: holds(line)})
	}
	if answer := strings.TrimSpace(pieces[len(pieces)-1]); answer != "" {
		steps = append(steps, domains.Step{Text: answer, Mode: mode, OK: t.Oracle.Known && answer == t.Oracle.Text})
	}
	return steps
}

// holds tells whether a line of a worked solution is a true equation with an operation on its left.
func holds(line string) bool {
	left, right, isEquation := strings.Cut(line, "=")
	if !isEquation {
		return false
	}
	l, f := readWorked(left)
	if f != nil || l.left == nil {
		return false
	}
	r, f := readWorked(right)
	if f != nil {
		return false
	}
	a, fa := l.evaluate(stepLimit)
	b, fb := r.evaluate(stepLimit)
	return fa == nil && fb == nil && a == b
}

// readWorked reads one side of a line of a worked solution.
func readWorked(s string) (*node, *fault) {
	if len(s) > MaxBytes {
		return nil, faultf(Malformed, "a line has %d bytes a side; at most %d are allowed", len(s), MaxBytes)
	}
	r := expressionReader{scanner: scanner{text: s, maxDigits: stepDigits}, worked: true}
	n, f := r.sum()
	switch {
	case f != nil:
		return nil, f
	case r.at != len(s):
		return nil, r.expected("an operator")
	case n.hasGap():
		return nil, faultf(MissingInformation, "a number of %q is left out", s)
	}
	return n, nil
}

// evaluateWorked is the value of one side of a line.
func evaluateWorked(s string) (int64, bool) {
	n, f := readWorked(s)
	if f != nil {
		return 0, false
	}
	v, f := n.evaluate(stepLimit)
	return v, f == nil
}
