package event

import "math"

// Rate is a share of proposals, Hits of Trials, measured with the task as its unit.
type Rate struct {
	Hits   int
	Trials int
	tasks  squares
}

// squares are sums over clusters of products of a cluster's trials n and hits s. They are integers, so that they can be
// kept up to date one event at a time without rounding.
type squares struct {
	clusters   int
	nn, ns, ss int
}

// move changes one cluster from n0 trials with s0 hits to n1 with s1.
func (q *squares) move(n0, s0, n1, s1 int) {
	if n0 == 0 && n1 > 0 {
		q.clusters++
	}
	if n0 > 0 && n1 == 0 {
		q.clusters--
	}
	q.nn += n1*n1 - n0*n0
	q.ns += n1*s1 - n0*s0
	q.ss += s1*s1 - s0*s0
}

// Trials adds up a rate trial by trial. Its zero value is ready.
type Trials struct {
	rate  Rate
	tasks map[string][2]int // trials and hits
}

// Add counts more trials and hits of a task.
func (t *Trials) Add(task string, trials, hits int) {
	if t.tasks == nil {
		t.tasks = map[string][2]int{}
	}
	was := t.tasks[task]
	now := [2]int{was[0] + trials, was[1] + hits}
	t.tasks[task] = now
	t.rate.tasks.move(was[0], was[1], now[0], now[1])
	t.rate.Trials += trials
	t.rate.Hits += hits
}

// Rate is the rate of what was added so far.
func (t *Trials) Rate() Rate { return t.rate }

// Clusters is the number of different tasks among the trials.
func (r Rate) Clusters() int { return r.tasks.clusters }

// Value is Hits/Trials; false when there are no trials.
func (r Rate) Value() (float64, bool) {
	if r.Trials == 0 {
		return 0, false
	}
	return float64(r.Hits) / float64(r.Trials), true
}

// SE is the cluster-robust standard error of the rate p,
//
//	se² = Σ_c (s_c − n_c p)² / n²
//
// over tasks c with n_c trials and s_c hits, n = Σ n_c: proposals of one task are not independent, so that a generator
// which repeats itself is not measured the better for it. With every task proposed once it is the binomial p(1−p)/n.
// One task alone has residuals that sum to zero by construction and says nothing of the spread over tasks: with fewer
// than two clusters the standard error is undefined, and SE returns false.
func (r Rate) SE() (float64, bool) {
	if r.Clusters() < 2 {
		return 0, false
	}
	n, s := float64(r.Trials), float64(r.Hits)
	q := n*n*float64(r.tasks.ss) - 2*n*s*float64(r.tasks.ns) + s*s*float64(r.tasks.nn)
	return math.Sqrt(max(q, 0)) / (n * n), true
}
