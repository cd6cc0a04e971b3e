package diversity

import "math"

// smoothing is what an n-gram order without a match counts instead of zero: ε of method 1 in Chen and Cherry (2014), at its usual value.
const smoothing = .1

// SelfBLEU is the mean sentence-level BLEU of each statement against all the others as references (Zhu et al., arXiv 1802.01886), in 0 … 1: 1 when each
// is a copy. A statement shorter than order is scored at its own length, so that short copies count as copies. Undefined, and false, for
// fewer than two statements. The score grows with the number of statements: compare equal numbers.
//
// The cost is linear in the number of tokens, because clipping asks only how often an n-gram occurs in the richest other statement.
func SelfBLEU(statements [][]string, order int) (float64, bool) {
	if len(statements) < 2 {
		return 0, false
	}
	p := newPool(order)
	for _, s := range statements {
		p.add(s)
	}
	sum := 0.0
	for i, s := range statements {
		sum += p.score(s, min(order, len(s)), i)
	}
	return sum / float64(len(statements)), true
}

// pool is statements as references for each other.
type pool struct {
	order   int
	size    int
	richest map[string]richest
	lengths map[int]int // statements by number of tokens
}

// richest is the highest count of an n-gram in one statement, whose that is, and the highest in any other.
type richest struct {
	count, owner, second int
}

func newPool(order int) *pool {
	return &pool{order: order, richest: map[string]richest{}, lengths: map[int]int{}}
}

func (p *pool) add(tokens []string) {
	for n := 1; n <= p.order; n++ {
		for gram, c := range ngrams(tokens, n) {
			r := p.richest[gram]
			switch {
			case c > r.count:
				r = richest{count: c, owner: p.size, second: r.count}
			case c > r.second:
				r.second = c
			}
			p.richest[gram] = r
		}
	}
	p.lengths[len(tokens)]++
	p.size++
}

// score is the sentence-level BLEU (Papineni et al., 2002, section 2.3), in 0 … 1, of a hypothesis, which is the pool's statement self, against
// the others: the geometric mean of the clipped n-gram precisions for n = 1 … order, times the brevity penalty against the reference closest in
// length, the shorter one of two. A precision without a match has ε = 0.1 in its numerator (method 1 of Chen and Cherry, 2014); without any
// common token the score is 0.
//
// It is not symmetric: the brevity penalty and the denominators are the hypothesis's. A hypothesis shorter than order has no n-gram to
// match and is smoothed all the same, so two equal statements of two tokens score 0.316 at order 4, and two empty ones 0.
func (p *pool) score(hypothesis []string, order, self int) float64 {
	if order < 1 {
		return 0
	}
	logs := 0.0
	for n := 1; n <= order; n++ {
		matches := 0
		for gram, c := range ngrams(hypothesis, n) {
			r := p.richest[gram]
			if r.owner == self {
				r.count = r.second
			}
			matches += min(c, r.count)
		}
		if n == 1 && matches == 0 {
			return 0
		}
		numerator := float64(matches)
		if matches == 0 {
			numerator = smoothing
		}
		logs += math.Log(numerator / float64(max(1, len(hypothesis)-n+1)))
	}
	return p.brevity(len(hypothesis)) * math.Exp(logs/float64(order))
}

// brevity is the brevity penalty of a hypothesis of so many tokens.
func (p *pool) brevity(tokens int) float64 {
	closest, distance := 0, math.MaxInt
	for length, n := range p.lengths {
		if length == tokens {
			n-- // itself
		}
		d := max(length-tokens, tokens-length)
		if n > 0 && (d < distance || d == distance && length < closest) {
			closest, distance = length, d
		}
	}
	return math.Exp(min(0, 1-float64(closest)/float64(tokens)))
}
