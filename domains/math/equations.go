package math

import (
	"regexp"
	"strings"

	"verge/domains"
)

var (
	equated  = regexp.MustCompile(`[-(]?[(\d][-+*/×÷·()\d., \t]*[\d)][ \t]*=[ \t]*-?\d[\d,.]*`)
	unmarked = strings.NewReplacer("×", "*", "·", "*", "÷", "/", " ", "", "\t", "", ",", "")
)

// Equations are the equations between whole numbers in a text, in order, with what each exercises and whether it holds. What has no
// operation on its left, or numbers that are not whole, is left out.
func Equations(text string) []domains.Step {
	var steps []domains.Step
	for _, found := range equated.FindAllString(text, -1) {
		line := strings.TrimRight(unmarked.Replace(found), ".")
		if strings.Contains(line, ".") {
			continue
		}
		if mode, ok := modeOfContent(line); ok {
			steps = append(steps, domains.Step{Text: line, Mode: mode, OK: holds(line)})
		}
	}
	return steps
}
