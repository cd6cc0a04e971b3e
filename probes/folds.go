package probes

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// minFolds leaves something to train on when two folds are held out, as nested cross-validation does.
const minFolds = 3

// assign puts every example into one of k folds; fold[i] belongs to examples[i]. Groups stay whole. The largest groups are placed first, in
// an order drawn from the seed among equals, each where it keeps the classes most evenly spread. The result depends on the groups and
// classes, not on the order of the examples. Every fold holds both classes, or there is an error.
func assign(examples []Example, k int, seed uint64) (fold []int, groups int, err error) {
	type group struct {
		name  string
		class [2]int // examples out of band, in band
	}
	byName := map[string]*group{}
	var total, spread [2]int // examples, and groups that hold any
	for _, e := range examples {
		g := byName[e.Group]
		if g == nil {
			g = &group{name: e.Group}
			byName[e.Group] = g
		}
		c := class(e.InBand)
		if g.class[c] == 0 {
			spread[c]++
		}
		g.class[c]++
		total[c]++
	}
	tooFew := fmt.Errorf("probes: of %d tasks %d are in band (groups of near-duplicates: %d) and %d are not (groups: %d): "+
		"%d folds need tasks of both kinds in each fold; raise corpus.proposals, or choose a band (target.low, target.high) that the solver hits more evenly",
		len(examples), total[1], spread[1], total[0], spread[0], k)
	if min(spread[0], spread[1]) < k {
		return nil, 0, tooFew
	}

	order := slices.SortedFunc(maps.Values(byName), func(a, b *group) int { return cmp.Compare(a.name, b.name) })
	rng := rand.New(rand.NewPCG(seed, uint64(k)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b *group) int {
		return cmp.Compare(b.class[0]+b.class[1], a.class[0]+a.class[1])
	})

	// Adding a group of (a, b) to a fold of (x, y) raises the sum over folds of (x/X)² + (y/Y)², which is least when both classes are
	// evenly spread, by 2·(xa/X² + yb/Y²) and a part that is the same for every fold.
	placed := make([][2]int, k)
	where := make(map[string]int, len(order))
	for _, g := range order {
		cost := func(f int) float64 {
			c := 0.0
			for i := range total {
				t := float64(total[i])
				c += float64(placed[f][i]) / t * float64(g.class[i]) / t
			}
			return c
		}
		best := 0
		for f := 1; f < k; f++ {
			if c := cmp.Compare(cost(f), cost(best)); c < 0 || c == 0 && placed[f][0]+placed[f][1] < placed[best][0]+placed[best][1] {
				best = f
			}
		}
		where[g.name] = best
		for i, n := range g.class {
			placed[best][i] += n
		}
	}
	for _, p := range placed {
		if p[0] == 0 || p[1] == 0 {
			return nil, 0, tooFew
		}
	}
	fold = make([]int, len(examples))
	for i, e := range examples {
		fold[i] = where[e.Group]
	}
	return fold, len(order), nil
}

func class(inBand bool) int {
	if inBand {
		return 1
	}
	return 0
}
