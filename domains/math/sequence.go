package math

import "strings"

// sequence is a question for the next term, such as `3,7,11,15,?`. Four terms at least have to be there, and all the rules
// that fit them have to agree on the next one.
type sequence struct{ terms []int64 }

// MinTerms is the number of terms that a sequence has to show.
const MinTerms = 4

func readSequence(s string) (question, *fault) {
	r := scanner{text: s, maxDigits: MaxDigits}
	var q sequence
	for {
		if r.accept('?') {
			if r.at != len(s) {
				return nil, r.expected("the end, since ? stands for the next term,")
			}
			break
		}
		v, f := r.signed()
		if f != nil {
			return nil, f
		}
		q.terms = append(q.terms, v)
		if r.at == len(s) {
			return nil, faultf(MissingInformation, "%q does not ask for the next term; end it with ,?", s)
		}
		if !r.accept(',') {
			return nil, r.expected(`","`)
		}
	}
	if len(q.terms) < MinTerms {
		return nil, faultf(Ambiguous, "%q has %d terms, which many rules fit; show %d", s, len(q.terms), MinTerms)
	}
	return q, nil
}

func (q sequence) kind() string { return Sequence }

func (q sequence) operations() int { return len(q.work()) }

// rule is a way to continue a sequence of MinTerms terms at least.
type rule struct {
	name string
	// next is the term that follows, and whether the rule fits all the terms.
	next func(t []int64) (int64, bool)
	// work writes how the next term is found.
	work func(t []int64) []string
	hint string
}

var rules = []rule{
	{"arithmetic", nextArithmetic, workArithmetic, "add the same again"},
	{"geometric", nextGeometric, workGeometric, "multiply by the same again"},
	{"quadratic", nextQuadratic, workQuadratic, "the gaps grow evenly"},
	{"fibonacci", nextFibonacci, workFibonacci, "add the last two"},
	{"alternating", nextAlternating, workAlternating, "two in turn"},
}

// fitting is the first rule that fits, or nil.
func (q sequence) fitting() *rule {
	for i := range rules {
		if _, ok := rules[i].next(q.terms); ok {
			return &rules[i]
		}
	}
	return nil
}

func (q sequence) answer() (int64, *fault) {
	first := q.fitting()
	if first == nil {
		return 0, faultf(NoSolution, "no rule fits; those known are %s", ruleNames())
	}
	v, _ := first.next(q.terms)
	for _, other := range rules {
		if w, ok := other.next(q.terms); ok && w != v {
			return 0, faultf(Ambiguous, "the %s rule goes on with %d, the %s rule with %d", first.name, v, other.name, w)
		}
	}
	return v, nil
}

func ruleNames() string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return strings.Join(names, ", ")
}

func (q sequence) work() []string { return q.fitting().work(q.terms) }

func (q sequence) hints() []string { return []string{q.fitting().hint} }

// nextArithmetic: each term is the one before plus a constant, which may be 0.
func nextArithmetic(t []int64) (int64, bool) {
	d := t[1] - t[0]
	for i := 2; i < len(t); i++ {
		if t[i]-t[i-1] != d {
			return 0, false
		}
	}
	return t[len(t)-1] + d, true
}

func workArithmetic(t []int64) []string {
	n := len(t)
	d := t[1] - t[0]
	return []string{equation(difference(t[1], t[0]), d), equation(addition([]int64{t[n-1], d}), t[n-1]+d)}
}

// nextGeometric: each term is the one before times a constant integer of magnitude 2 at least.
func nextGeometric(t []int64) (int64, bool) {
	if t[0] == 0 || t[1]%t[0] != 0 || magnitude(t[1]/t[0]) < 2 {
		return 0, false
	}
	q := t[1] / t[0]
	for i := 2; i < len(t); i++ {
		if t[i] != t[i-1]*q {
			return 0, false
		}
	}
	return t[len(t)-1] * q, true
}

func workGeometric(t []int64) []string {
	last, q := t[len(t)-1], t[1]/t[0]
	return []string{equation(infix(t[1], '/', t[0]), q), equation(infix(last, '*', q), last*q)}
}

// nextQuadratic: the differences grow by a constant that is not 0.
func nextQuadratic(t []int64) (int64, bool) {
	second := t[2] - 2*t[1] + t[0]
	if second == 0 {
		return 0, false
	}
	for i := 3; i < len(t); i++ {
		if t[i]-2*t[i-1]+t[i-2] != second {
			return 0, false
		}
	}
	n := len(t)
	return 2*t[n-1] - t[n-2] + second, true
}

func workQuadratic(t []int64) []string {
	n := len(t)
	before, last := t[n-2]-t[n-3], t[n-1]-t[n-2]
	growth := last - before
	return []string{
		equation(difference(t[n-2], t[n-3]), before),
		equation(difference(t[n-1], t[n-2]), last),
		equation(difference(last, before), growth),
		equation(addition([]int64{t[n-1], last, growth}), t[n-1]+last+growth),
	}
}

// nextFibonacci: each term is the sum of the two before.
func nextFibonacci(t []int64) (int64, bool) {
	for i := 2; i < len(t); i++ {
		if t[i] != t[i-1]+t[i-2] {
			return 0, false
		}
	}
	n := len(t)
	return t[n-1] + t[n-2], true
}

func workFibonacci(t []int64) []string {
	n := len(t)
	return []string{equation(addition([]int64{t[n-2], t[n-1]}), t[n-2]+t[n-1])}
}

// nextAlternating: two numbers in turn.
func nextAlternating(t []int64) (int64, bool) {
	for i := 2; i < len(t); i++ {
		if t[i] != t[i-2] {
			return 0, false
		}
	}
	return t[len(t)-2], true
}

func workAlternating([]int64) []string { return nil }
