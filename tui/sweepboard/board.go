package sweepboard

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"verge/runner/report/paired"
	"verge/tui/screen"
)

// base is the arm that the others are compared with.
const base = "base"

// board is a sweep laid out: groups of cells with the same settings, in each a row for every arm.
type board struct {
	state  screen.SweepState
	seeds  []uint64 // in the order of the cells
	groups []group
	rows   []row
}

type group struct {
	values []string // of the axes
	cells  map[uint64]screen.SweepCell
	done   int
}

// row is an arm under some settings.
type row struct {
	group   int
	arm     string
	figures [len(figures)]summary
}

// measure is a figure that the board can show.
type measure struct {
	name string
	of   func(screen.SweepFigure) *float64
}

var figures = [...]measure{
	{"in band", func(f screen.SweepFigure) *float64 { return f.InBand }},
	{"in band of valid", func(f screen.SweepFigure) *float64 { return f.InBandGivenValid }},
	{"valid", func(f screen.SweepFigure) *float64 { return f.Valid }},
}

// bootstrapSeed only matters beyond paired.ExactSeeds.
const bootstrapSeed = 1

// summary is a figure over the seeds of a row that define it.
type summary struct {
	n          int
	mean       *float64
	se         *float64        // of the mean, the seed being the unit; nil of fewer than two
	difference paired.Estimate // to base, paired by seed; undefined of base itself
}

// layOut makes the board of a sweep. It draws bootstrap samples: it is called from a command.
func layOut(s screen.SweepState) (board, error) {
	b := board{state: s}
	for _, c := range s.Cells {
		if !slices.Contains(b.seeds, c.Seed) {
			b.seeds = append(b.seeds, c.Seed)
		}
		i := slices.IndexFunc(b.groups, func(g group) bool { return slices.Equal(g.values, c.Values) })
		if i < 0 {
			i = len(b.groups)
			b.groups = append(b.groups, group{values: c.Values, cells: map[uint64]screen.SweepCell{}})
		}
		b.groups[i].cells[c.Seed] = c
		if c.State == done {
			b.groups[i].done++
		}
	}
	for i, g := range b.groups {
		for _, arm := range s.Arms {
			r := row{group: i, arm: arm}
			for n, f := range figures {
				var err error
				if r.figures[n], err = b.summarise(g, arm, f); err != nil {
					return board{}, err
				}
			}
			b.rows = append(b.rows, r)
		}
	}
	return b, nil
}

func (b *board) summarise(g group, arm string, f measure) (summary, error) {
	var s summary
	own := g.bySeed(arm, f)
	var values []float64
	for _, seed := range b.seeds { // in one order, so that the sum is the same every time
		if v, ok := own[seed]; ok {
			values = append(values, v)
		}
	}
	switch s.n = len(values); {
	case s.n == 1:
		s.mean = &values[0]
	case s.n > 1:
		mean, sd := stat.MeanStdDev(values, nil)
		se := stat.StdErr(sd, float64(s.n))
		s.mean, s.se = &mean, &se
	}
	if arm == base {
		return s, nil
	}
	c, err := paired.Compare(own, g.bySeed(base, f), bootstrapSeed)
	s.difference = c.Difference
	return s, err
}

// bySeed is an arm's figure in the cells that are done and define it.
func (g group) bySeed(arm string, f measure) map[uint64]float64 {
	values := map[uint64]float64{}
	for seed, c := range g.cells {
		if v := f.of(c.Figures[arm]); v != nil {
			values[seed] = *v
		}
	}
	return values
}
