package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"verge/runner/event"
	"verge/tui/board"
)

// side is one of the two that are compared.
type side struct {
	board *board.Snapshot
	arm   string
}

// result is what a comparison comes to.
type result struct {
	of       choice
	sides    [2]side
	figures  []figureRow
	pairs    int // tasks that both evaluations have attempted in full
	left     int // proposals that repeat a statement of their own evaluation, or have one that is too long
	bands    [2]event.Band
	inBand   [2][2]int // pairs by whether A and whether B is in band
	inBandBy estimate  // paired difference of "in band"
	ratesBy  estimate  // paired difference of solve rates
	flipped  []pair
	settings []setting
}

// estimate is a difference B − A and its 95 % interval, nil where there is none.
type estimate struct{ value, low, high *float64 }

// pair is a task that both sides evaluated.
type pair struct {
	tasks  [2]board.Task
	inBand [2]bool
}

// z is the normal quantile of 95 % intervals.
const z = 1.959963984540054

// compareSides works out a comparison. It goes through all tasks: it is called from a command.
func compareSides(of choice, sides [2]side) *result {
	r := &result{of: of, sides: sides, settings: differing(sides)}
	if sides[0].board.Run == nil || sides[1].board.Run == nil {
		return r
	}
	r.figures = figureRows(sides)
	r.pairUp()
	return r
}

// pairUp finds the tasks that both evaluations have, by their statements.
func (r *result) pairUp() {
	var tasks [2]map[string]board.Task
	for i, s := range r.sides {
		r.bands[i] = s.board.Band()
		var left int
		tasks[i], left = evaluated(s)
		r.left += left
	}
	var inBand, rates []float64
	for _, statement := range slices.Sorted(maps.Keys(tasks[0])) { // in one order, so that sums are the same every time
		a := tasks[0][statement]
		b, shared := tasks[1][statement]
		if !shared {
			continue
		}
		p := pair{tasks: [2]board.Task{a, b}, inBand: [2]bool{holds(r.bands[0], a), holds(r.bands[1], b)}}
		r.inBand[number(p.inBand[0])][number(p.inBand[1])]++
		inBand = append(inBand, float64(number(p.inBand[1])-number(p.inBand[0])))
		rates = append(rates, solveRate(b)-solveRate(a))
		if p.inBand[0] != p.inBand[1] {
			r.flipped = append(r.flipped, p)
		}
	}
	r.pairs = len(rates)
	r.inBandBy, r.ratesBy = meanOf(inBand), meanOf(rates)
	slices.SortFunc(r.flipped, func(p, q pair) int {
		return cmp.Or(cmp.Compare(math.Abs(q.change()), math.Abs(p.change())), strings.Compare(p.tasks[0].Statement, q.tasks[0].Statement))
	})
}

// longest is the statement, in bytes, up to which two are told apart: a board keeps only the beginning of longer ones.
const longest = 500

// evaluated is the tasks of an arm's evaluation that have been attempted in full, by statement: of those with the same one the first. left
// counts the others, and those whose statements are too long.
func evaluated(s side) (tasks map[string]board.Task, left int) {
	tasks = map[string]board.Task{}
	for i := range s.board.Tasks.Len() {
		t := s.board.Tasks.At(i)
		if t.Key.Arm != s.arm || t.Key.Stage != event.Eval || !t.Valid || t.Graded() != s.board.Run.Attempts {
			continue
		}
		if _, known := tasks[t.Statement]; known || len(t.Statement) > longest {
			left++
			continue
		}
		tasks[t.Statement] = t
	}
	return tasks, left
}

func holds(b event.Band, t board.Task) bool { return b.Holds(t.Right, t.Graded()) }

func solveRate(t board.Task) float64 { return float64(t.Right) / float64(t.Graded()) }

// change is how much the solve rate of B is above that of A.
func (p pair) change() float64 { return solveRate(p.tasks[1]) - solveRate(p.tasks[0]) }

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// meanOf is the mean of paired differences of shares, the pair being the unit, and its interval by Student's t; without one where all are
// alike, which says nothing of those to come.
func meanOf(differences []float64) estimate {
	n := len(differences)
	if n == 0 {
		return estimate{}
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if n == 1 || sd == 0 {
		return estimate{value: &mean}
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
	return around(mean, t*stat.StdErr(sd, float64(n)))
}

// around is a difference of shares, which no interval takes beyond −1 and 1.
func around(value, margin float64) estimate {
	low, high := max(value-margin, -1), min(value+margin, 1)
	return estimate{&value, &low, &high}
}
