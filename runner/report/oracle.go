package report

import (
	"fmt"

	"verge/runner/event"
)

// Oracles is how oracle models answered an arm's valid tasks that have no exact answer. A task of which an answer could not be had is asked,
// and neither agreed nor disagreed on.
type Oracles struct {
	Asked     int `json:"asked"`     // tasks
	Agreed    int `json:"agreed"`    // tasks that all answers agree on: the others are not attempted, and ungraded
	Disagreed int `json:"disagreed"` // tasks
	Calls     int `json:"calls"`     // answers
	Errors    int `json:"errors"`    // answers that could not be had
}

// oraclesOf is nil where none were asked.
func oraclesOf(t *event.Tally) *Oracles {
	if t.Asked == 0 {
		return nil
	}
	return &Oracles{t.Asked, t.Agreed, t.Disagreed, t.OracleCalls, t.OracleErrors}
}

// oracles is the table of what oracle models said of the arms' tasks.
func oracles(p *page, rows []Arm) {
	var cells [][]string
	for _, a := range rows {
		if o := a.Oracles; o != nil {
			agreed := float64(o.Agreed) / float64(o.Asked)
			cells = append(cells, []string{clean(a.Name), fmt.Sprint(o.Asked), percent(&agreed), fmt.Sprint(o.Disagreed), fmt.Sprint(o.Calls), fmt.Sprint(o.Errors), orDash(a.PostOracle)})
		}
	}
	p.grid(1, []string{"oracles", "tasks asked", "agreed on", "disagreed on", "answers", "errors", "in band of answered"}, cells)
}
