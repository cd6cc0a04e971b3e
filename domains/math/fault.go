package math

import "fmt"

// The reasons why a statement is invalid, after the classes of R-Quest (arXiv 2610.04299).
const (
	// MissingInformation: something the answer depends on, or the question itself, is not there. `12+?`, `x+y=7`.
	MissingInformation = "missing_information"
	// Contradiction: what is stated cannot all be true. `x=3,2x=8`.
	Contradiction = "contradiction"
	// NoSolution: nothing is wrong with the question, but no integer answers it. `84/0`, `2x=7`, `7/2`.
	NoSolution = "no_solution"
	// Ambiguous: several answers fit. `x^2=9`, `2,4,?`, `2^3^2`.
	Ambiguous = "ambiguous"
	// NotGradable: an exact integer cannot be compared with the answer. `prove 2+2=4`, or a value above MaxValue.
	NotGradable = "not_gradable"
	// Malformed: no statement of the domain's syntax. `12++`, `(3+4`, `047+5`.
	Malformed = "malformed"
)

// Reasons lists why a task can be invalid.
func (Domain) Reasons() []string {
	return []string{MissingInformation, Contradiction, NoSolution, Ambiguous, NotGradable, Malformed}
}

// fault is why a statement is invalid.
type fault struct {
	reason string
	detail string
}

func faultf(reason, format string, args ...any) *fault {
	return &fault{reason, fmt.Sprintf(format, args...)}
}
