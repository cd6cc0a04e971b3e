package probes

import (
	"cmp"
	"slices"
	"sort"
)

// Isotonic is a calibration that never falls: the least-squares fit to outcomes of 0 and 1 among all functions that do not (pool adjacent
// violators, Ayer et al., 1955). Between its points it is linear, beyond them constant. It survives JSON unchanged.
type Isotonic struct {
	Logits        []float64 `json:"logits"` // ascending
	Probabilities []float64 `json:"probabilities"`
}

// block is a stretch of logits whose outcomes are pooled.
type block struct {
	low, high   float64
	sum, weight float64
}

func (b block) mean() float64 { return b.sum / b.weight }

// FitIsotonic fits to logits that had no part in the making of the probe, at least one. Equal logits have one probability.
func FitIsotonic(logits []float64, inBand []bool) Isotonic {
	order := make([]int, len(logits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(logits[a], logits[b]) })
	var blocks []block
	for _, i := range order {
		b := block{logits[i], logits[i], float64(class(inBand[i])), 1}
		if n := len(blocks); n > 0 && blocks[n-1].high == b.low {
			blocks[n-1].sum += b.sum
			blocks[n-1].weight++
			continue
		}
		blocks = append(blocks, b)
	}

	pooled := blocks[:0]
	for _, b := range blocks {
		for len(pooled) > 0 && pooled[len(pooled)-1].mean() >= b.mean() {
			before := pooled[len(pooled)-1]
			pooled = pooled[:len(pooled)-1]
			b = block{before.low, b.high, before.sum + b.sum, before.weight + b.weight}
		}
		pooled = append(pooled, b)
	}
	var c Isotonic
	for _, b := range pooled {
		c.Logits, c.Probabilities = append(c.Logits, b.low), append(c.Probabilities, b.mean())
		if b.high > b.low {
			c.Logits, c.Probabilities = append(c.Logits, b.high), append(c.Probabilities, b.mean())
		}
	}
	return c
}

// Probability is that of a logit.
func (c Isotonic) Probability(logit float64) float64 {
	after := sort.SearchFloat64s(c.Logits, logit)
	if after == 0 {
		return c.Probabilities[0]
	}
	if after == len(c.Logits) {
		return c.Probabilities[after-1]
	}
	x0, x1, p0, p1 := c.Logits[after-1], c.Logits[after], c.Probabilities[after-1], c.Probabilities[after]
	return min(p0+(p1-p0)*((logit-x0)/(x1-x0)), p1) // rounding may not go beyond the point
}
