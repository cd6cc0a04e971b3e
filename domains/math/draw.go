package math

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The levels of difficulty, 1 to levels, set the sizes of a statement's numbers and how many there are.
const levels = 4

// ofDigits draws a number of exactly n digits, without 0.
func ofDigits(r *rand.Rand, n int) int64 {
	low := int64(1)
	for range n - 1 {
		low *= 10
	}
	return low + r.Int64N(9*low)
}

// upTo draws a number of 1 to n digits, every length alike.
func upTo(r *rand.Rand, n int) int64 { return ofDigits(r, 1+r.IntN(n)) }

// between draws from low to high, both included.
func between(r *rand.Rand, low, high int64) int64 { return low + r.Int64N(high-low+1) }

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// choose draws one of some values, all alike.
func choose[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// weighted draws an index with the given weights.
func weighted(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := r.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// shuffled puts two numbers in random order.
func shuffled(r *rand.Rand, a, b int64) (int64, int64) {
	if chance(r, 0.5) {
		return b, a
	}
	return a, b
}

func drawSum(r *rand.Rand, level int) string {
	a, b := shuffled(r, ofDigits(r, level), upTo(r, level))
	return infix(a, '+', b)
}

func drawDifference(r *rand.Rand, level int) string {
	a, b := ofDigits(r, level), upTo(r, level)
	if a < b && !chance(r, 0.3) {
		a, b = b, a
	}
	return infix(a, '-', b)
}

// factors draws two factors whose lengths add up to level+1, or for level 1 the multiplication table.
func factors(r *rand.Rand, level int) (int64, int64) {
	second := 1 + r.IntN((level+1)/2)
	return ofDigits(r, max(level+1-second, 1)), ofDigits(r, second)
}

func drawProduct(r *rand.Rand, level int) string {
	a, b := factors(r, level)
	if chance(r, 0.3) {
		a, b = b, a
	}
	return infix(a, '*', b)
}

func drawQuotient(r *rand.Rand, level int) string {
	a, b := factors(r, level)
	return infix(a*b, '/', b)
}

func drawRemainder(r *rand.Rand, level int) string {
	return infix(ofDigits(r, level+r.IntN(2)), '%', between(r, 2, choose[int64](r, 10, 10, 10, 30, 99)))
}

// powerShapes are the largest base and the exponent of each level's powers.
var powerShapes = [levels][][2]int64{
	{{10, 2}, {4, 3}},
	{{20, 2}, {9, 3}, {3, 4}},
	{{99, 2}, {9, 4}, {4, 6}},
	{{99, 3}, {12, 5}, {5, 8}},
}

func drawPower(r *rand.Rand, level int) string {
	shape := choose(r, powerShapes[level-1]...)
	return infix(between(r, 2, shape[0]), '^', shape[1])
}

func drawChain(r *rand.Rand, level int) string {
	var b strings.Builder
	size := min(level, 3)
	b.WriteString(decimal(ofDigits(r, size)))
	for range 2 + level/levels {
		b.WriteByte(choose[byte](r, '+', '-'))
		b.WriteString(decimal(upTo(r, size)))
	}
	return b.String()
}

func drawPrecedence(r *rand.Rand, level int) string {
	b, c := factors(r, max(level-1, 1))
	a, sign := upTo(r, min(level, 3)), choose(r, "+", "-")
	switch {
	case level == levels && chance(r, 0.5):
		return fmt.Sprintf("%d*%d%s%d*%d", b, c, sign, a, ofDigits(r, 1))
	case chance(r, 0.5):
		return fmt.Sprintf("%d%s%d*%d", a, sign, b, c)
	}
	return fmt.Sprintf("%d*%d%s%d", b, c, sign, a)
}

func drawBrackets(r *rand.Rand, level int) string {
	size := max(1, level-1)
	a, b := ofDigits(r, size), upTo(r, size)
	sign, c := choose(r, "+", "-"), ofDigits(r, 1+level/levels)
	switch shape := r.Float64(); {
	case shape < 0.45:
		return fmt.Sprintf("(%d%s%d)*%d", a, sign, b, c)
	case shape < 0.75:
		return fmt.Sprintf("%d*(%d%s%d)", c, a, sign, b)
	case shape < 0.9:
		return fmt.Sprintf("%d-(%d%s%d)", ofDigits(r, min(level, 3)), a, sign, b)
	}
	return fmt.Sprintf("(%d%s%d)*(%d+%d)", a, sign, b, upTo(r, 1), upTo(r, 1+level/levels))
}

func drawEquation(r *rand.Rand, level int) string {
	x := upTo(r, min(level, 3))
	if chance(r, 0.1) {
		x = -x
	}
	a, b := between(r, 2, choose[int64](r, 5, 9, 9, int64(5*level))), upTo(r, min(level, 3))
	if chance(r, 0.5) {
		b = -b
	}
	switch shape := r.Float64(); {
	case level == 1 && shape < 0.6 || shape < 0.15:
		return linear(1, b) + "=" + decimal(x+b)
	case shape < 0.3:
		return linear(a, 0) + "=" + decimal(a*x)
	case level >= 3 && shape < 0.5:
		c, d := between(r, 1, a-1), upTo(r, level-1)
		return linear(a, (c-a)*x+d) + "=" + linear(c, d)
	}
	return linear(a, b) + "=" + decimal(a*x+b)
}

// linear writes a·x + b, for a > 0.
func linear(a, b int64) string {
	s := "x"
	if a != 1 {
		s = decimal(a) + "x"
	}
	if b != 0 {
		s = appendTerm(s, b, "")
	}
	return s
}

func drawSystem(r *rand.Rand, level int) string {
	size := min(level, 3)
	x, y := upTo(r, size), upTo(r, size)
	switch {
	case chance(r, 0.4):
		return fmt.Sprintf("x+y=%d,x-y=%d", x+y, x-y)
	case level > 1 && chance(r, 0.5):
		a := between(r, 2, int64(2*level+1))
		return fmt.Sprintf("y=%d,%dx+y=%d", y, a, a*x+y)
	}
	return fmt.Sprintf("y=%d,x+y=%d", y, x+y)
}

// drawSequence draws by a rule; some statements fit several, and the caller draws again.
func drawSequence(r *rand.Rand, level int) string {
	var t []int64
	switch choose(r, "a", "a", "a", "a", "a", "g", "q", "f", "2") {
	case "a":
		first, d := upTo(r, level), upTo(r, max(1, level-1))
		if chance(r, 0.25) {
			first, d = first+4*d, -d
		}
		t = []int64{first, first + d, first + 2*d, first + 3*d}
	case "g":
		first, q := upTo(r, max(1, level-2)), between(r, 2, int64(2+level))
		t = []int64{first, first * q, first * q * q, first * q * q * q}
	case "q":
		first, d, growth := upTo(r, max(1, level-1)), between(r, 1, int64(3*level)), between(r, 1, int64(level+1))
		t = []int64{first, first + d, first + 2*d + growth, first + 3*d + 3*growth}
	case "f":
		a, b := upTo(r, max(1, level-1)), upTo(r, max(1, level-1))
		t = []int64{a, b, a + b, a + 2*b}
	case "2":
		a, b := upTo(r, level), upTo(r, level)
		t = []int64{a, b, a, b}
		if chance(r, 0.5) {
			t = append(t, a)
		}
	}
	return list(t) + ",?"
}

// list writes numbers with commas between them.
func list(values []int64) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = decimal(v)
	}
	return strings.Join(texts, ",")
}

func drawComparison(r *rand.Rand, level int) string {
	values := make([]int64, 2+r.IntN(level+1))
	first := ofDigits(r, level)
	for i := range values {
		values[i] = ofDigits(r, level)
		if chance(r, 0.4) { // close to the first, so that the first digit does not decide
			values[i] = max(0, first+between(r, -9, 9))
		}
	}
	return choose(r, "max", "min") + "(" + list(values) + ")"
}

func drawGCD(r *rand.Rand, level int) string {
	g := upTo(r, 1+level/3)
	a, b := g*upTo(r, 1+level/4), g*upTo(r, 1+level/3)
	return fmt.Sprintf("gcd(%d,%d)", a, b)
}

func drawAverage(r *rand.Rand, level int) string {
	n := 2 + r.IntN(min(level, 3))
	mean := ofDigits(r, min(level, 3))
	values := make([]int64, n)
	rest := int64(0)
	for i := range n - 1 {
		values[i] = between(r, max(0, mean-9), mean+9)
		rest += mean - values[i]
	}
	if values[n-1] = mean + rest; values[n-1] < 0 {
		values[n-1] += int64(n) * 9
	}
	return "avg(" + list(values) + ")"
}

func drawDigitSum(r *rand.Rand, level int) string {
	return fmt.Sprintf("dsum(%d)", ofDigits(r, level+1+r.IntN(level)))
}

func drawFraction(r *rand.Rand, level int) string {
	d := between(r, 2, int64(4+2*level))
	n := int64(1)
	if level > 1 {
		n = between(r, 1, d-1)
	}
	return fmt.Sprintf("%d/%dof%d", n, d, d*upTo(r, min(level, 3)))
}

// somebody draws a person of a story and a pronoun for them.
func somebody(r *rand.Rand) (person, pronoun string) {
	people := make([]string, 0, len(pronouns))
	for p := range pronouns {
		people = append(people, p)
	}
	slices.Sort(people)
	person = choose(r, people...)
	return person, pronouns[person]
}

// storySize is the length of the numbers in a story of a level.
func storySize(level int) int { return min(level, 3) }

func drawStorySum(r *rand.Rand, level int) string {
	person, pronoun := somebody(r)
	a, b := ofDigits(r, storySize(level)), upTo(r, storySize(level))
	return fmt.Sprintf("%s has %d. %s gets %d more. How many?", person, a, pronoun, b)
}

func drawStoryDifference(r *rand.Rand, level int) string {
	person, pronoun := somebody(r)
	b, a := upTo(r, storySize(level)), ofDigits(r, storySize(level))
	return fmt.Sprintf("%s has %d. %s loses %d. How many?", person, max(a, b), pronoun, min(a, b))
}

func drawStoryProduct(r *rand.Rand, level int) string {
	person, _ := somebody(r)
	a, b := factors(r, max(1, level-1))
	return fmt.Sprintf("%s has %d bags of %d. How many?", person, a, b)
}

func drawStoryQuotient(r *rand.Rand, level int) string {
	person, _ := somebody(r)
	a, b := factors(r, max(1, level-1))
	return fmt.Sprintf("%s shares %d among %d. How many each?", person, a*b, b)
}
