package metric

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// z95 is the 97.5 % quantile of the standard normal distribution.
const z95 = 1.959963984540054

// Wilson is the 95 % score interval of a rate (Wilson, 1927), within [0, 1]. Without trials nothing is known, and it is all of [0, 1].
func Wilson(successes, trials int) (low, high float64) {
	if successes < 0 || successes > trials {
		panic(fmt.Sprintf("metric: Wilson: %d successes of %d trials", successes, trials))
	}
	if trials == 0 {
		return 0, 1
	}
	n := float64(trials)
	p := float64(successes) / n
	centre := (p + z95*z95/(2*n)) / (1 + z95*z95/n)
	half := z95 / (1 + z95*z95/n) * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	return max(0, centre-half), min(1, centre+half)
}

// PassK is the unbiased estimate 1 − C(n−c, k)/C(n, k) of the probability that at least one of k attempts is right, from c right ones
// among n (Chen et al., arXiv 2107.03374, eq. 1). It needs 1 ≤ k ≤ n.
func PassK(n, c, k int) (float64, error) {
	switch {
	case c < 0 || c > n:
		return 0, fmt.Errorf("metric: pass@%d: %d right of %d attempts", k, c, n)
	case k < 1:
		return 0, fmt.Errorf("metric: pass@%d: k must be at least 1", k)
	case k > n:
		return 0, fmt.Errorf("metric: pass@%d of %d attempts: make at least %d attempts, or ask for a smaller k", k, n, k)
	}
	if n-c < k {
		return 1, nil
	}
	none := 1.0
	for i := n - c + 1; i <= n; i++ {
		none *= 1 - float64(k)/float64(i)
	}
	return 1 - none, nil
}

// ClusterSE is the cluster-robust standard error of the mean ȳ of y,
//
//	se² = Σ_c (Σ_{i∈c} (y_i − ȳ))² / n²
//
// for observations that are independent between clusters only. With every observation its own cluster and y of 0 and 1 it is the
// binomial √(ȳ(1−ȳ)/n). The residuals of a single cluster sum to 0 by construction, so that with fewer than two it is undefined.
func ClusterSE(y []float64, cluster []string) (float64, bool) {
	sameLength("ClusterSE", len(y), len(cluster))
	number := map[string]int{}
	var sums []float64
	mean := stat.Mean(y, nil)
	for i, v := range y {
		c, ok := number[cluster[i]]
		if !ok {
			c = len(sums)
			number[cluster[i]] = c
			sums = append(sums, 0)
		}
		sums[c] += v - mean
	}
	if len(sums) < 2 {
		return 0, false
	}
	squares := 0.0
	for _, s := range sums {
		squares += s * s
	}
	return math.Sqrt(squares) / float64(len(y)), true
}
