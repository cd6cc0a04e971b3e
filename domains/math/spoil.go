package math

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// spoiler draws statements that are meant to be invalid for one reason; parse has the last word.
type spoiler func(r *rand.Rand, level int) string

// reasonOf is a reason as the corpus draws it.
type reasonOf struct {
	name     string
	weight   float64 // among invalid statements
	spoilers []spoiler
}

// reasons holds what makes statements invalid, each spoiler alike within its reason.
var reasons = []reasonOf{
	{MissingInformation, 20, []spoiler{
		gapped, gapped, gapped, withoutRight, withoutQuestionMark, vagueStory, unaskedStory, lonelyUnknowns, lonelyNumber,
	}},
	{Contradiction, 15, []spoiler{shiftedSystem, twoValues, falseClaim, overdrawnStory}},
	{NoSolution, 25, []spoiler{
		divisionByZero, divisionByZero, inexactQuotient, inexactQuotient, zeroCoefficient, inexactEquation, inexactEquation, inexactCall,
		brokenSequence, brokenSequence, noSquare, inexactStory,
	}},
	{Ambiguous, 14, []spoiler{twoRoots, shortSequence, shortSequence, towerOfPowers, signedPower, identity, otherPerson}},
	{NotGradable, 10, []spoiler{openRequest, openRequest, enormous, whyStory}},
	{Malformed, 16, []spoiler{edited, edited, edited, leadingZero, unclosed, danglingOperator, danglingOperator}},
}

// expressionKinds are the types written as an expression.
var expressionKinds = []func(*rand.Rand, int) string{
	drawSum, drawDifference, drawProduct, drawQuotient, drawRemainder, drawChain, drawPrecedence, drawBrackets,
}

func anyExpression(r *rand.Rand, level int) string { return choose(r, expressionKinds...)(r, level) }

// anyStatement draws a statement of any type, all types alike.
func anyStatement(r *rand.Rand, level int) string { return choose(r, kinds...).draw(r, level) }

// gapped puts a question mark in the place of a number.
func gapped(r *rand.Rand, level int) string {
	draw := choose(r, append(expressionKinds, drawComparison, drawGCD, drawAverage, drawFraction, drawEquation)...)
	s := draw(r, level)
	runs := digitRun.FindAllStringIndex(s, -1)
	at := choose(r, runs...)
	return s[:at[0]] + "?" + s[at[1]:]
}

// withoutRight leaves an equation's right side out.
func withoutRight(r *rand.Rand, level int) string {
	left, _, _ := strings.Cut(drawEquation(r, level), "=")
	return left
}

func withoutQuestionMark(r *rand.Rand, level int) string {
	return strings.TrimSuffix(drawSequence(r, level), ",?")
}

// vagueStory says "some" in the place of a number.
func vagueStory(r *rand.Rand, level int) string {
	s := drawStory(r, level)
	at := choose(r, digitRun.FindAllStringIndex(s, -1)...)
	return s[:at[0]] + "some" + s[at[1]:]
}

func unaskedStory(r *rand.Rand, level int) string {
	s := drawStory(r, level)
	return s[:strings.LastIndex(s, " How")]
}

func drawStory(r *rand.Rand, level int) string {
	return choose(r, drawStorySum, drawStoryDifference, drawStoryProduct, drawStoryQuotient)(r, level)
}

// lonelyUnknowns is one equation for two unknowns.
func lonelyUnknowns(r *rand.Rand, level int) string {
	return fmt.Sprintf("x%sy=%d", choose(r, "+", "-"), upTo(r, level))
}

func lonelyNumber(r *rand.Rand, level int) string { return decimal(ofDigits(r, level)) }

// shiftedSystem follows an equation by the value of x, or a multiple of it, shifted.
func shiftedSystem(r *rand.Rand, level int) string {
	x := upTo(r, min(level, 3))
	a, shift := between(r, 2, 9), between(r, 1, 9)
	return choose(r, fmt.Sprintf("x=%d,%dx=%d", x, a, a*x+shift), fmt.Sprintf("x+%d=%d,x=%d", a, a+x, x+shift))
}

func twoValues(r *rand.Rand, level int) string {
	return fmt.Sprintf("x+y=%d,x+y=%d", upTo(r, level), upTo(r, level))
}

func falseClaim(r *rand.Rand, level int) string {
	return fmt.Sprintf("%s=%d", drawSum(r, level), upTo(r, level))
}

// overdrawnStory is of somebody who loses more than there is.
func overdrawnStory(r *rand.Rand, level int) string {
	person, pronoun := somebody(r)
	a := upTo(r, storySize(level))
	return fmt.Sprintf("%s has %d. %s loses %d. How many?", person, a, pronoun, a+upTo(r, storySize(level)))
}

func divisionByZero(r *rand.Rand, level int) string {
	a := upTo(r, level)
	return choose(r, infix(a, '/', 0), infix(a, '%', 0), infix(a, '/', 0)+"+"+decimal(upTo(r, level)))
}

func inexactQuotient(r *rand.Rand, level int) string {
	a, b := factors(r, level)
	return infix(a*b+between(r, 1, 9), '/', b)
}

func zeroCoefficient(r *rand.Rand, level int) string {
	return linear(0, 0) + "=" + decimal(upTo(r, level))
}

func inexactEquation(r *rand.Rand, level int) string {
	a, b := between(r, 2, 9), upTo(r, min(level, 3))
	return linear(a, b) + "=" + decimal(b+upTo(r, min(level+1, 4)))
}

func inexactCall(r *rand.Rand, level int) string {
	return choose(r,
		fmt.Sprintf("avg(%d,%d)", upTo(r, level), upTo(r, level)),
		fmt.Sprintf("%d/%dof%d", between(r, 1, 5), between(r, 2, 9), upTo(r, level)),
	)
}

// brokenSequence changes a term of a sequence by a little.
func brokenSequence(r *rand.Rand, level int) string {
	terms := strings.Split(drawSequence(r, level), ",")
	at := r.IntN(len(terms) - 1)
	v, err := strconv.ParseInt(terms[at], 10, 64)
	if err != nil {
		panic("math: a drawn sequence has no integer: " + err.Error())
	}
	terms[at] = decimal(v + choose[int64](r, -10, -2, -1, 1, 2, 10))
	return strings.Join(terms, ",")
}

func noSquare(r *rand.Rand, level int) string { return "x^2=" + decimal(upTo(r, level)) }

func inexactStory(r *rand.Rand, level int) string {
	person, _ := somebody(r)
	return fmt.Sprintf("%s shares %d among %d. How many each?", person, upTo(r, storySize(level)), between(r, 0, 9))
}

func twoRoots(r *rand.Rand, level int) string {
	v := between(r, 1, int64(5*level))
	return "x^2=" + decimal(v*v)
}

// shortSequence leaves only two or three terms.
func shortSequence(r *rand.Rand, level int) string {
	terms := strings.Split(drawSequence(r, level), ",")
	return strings.Join(terms[:2+r.IntN(2)], ",") + ",?"
}

func towerOfPowers(r *rand.Rand, level int) string {
	return fmt.Sprintf("%d^%d^%d", between(r, 2, int64(2+level)), between(r, 2, 3), between(r, 2, 3))
}

func signedPower(r *rand.Rand, level int) string {
	return choose(r,
		fmt.Sprintf("-%d^%d", upTo(r, min(level, 2)), between(r, 2, 3)),
		fmt.Sprintf("-%d%%%d", upTo(r, level), between(r, 2, 9)),
	)
}

func identity(r *rand.Rand, level int) string {
	side := linear(between(r, 1, 9), upTo(r, min(level, 3)))
	return side + "=" + side
}

// otherPerson tells of somebody else in the middle of a story.
func otherPerson(r *rand.Rand, level int) string {
	s := choose(r, drawStorySum, drawStoryDifference)(r, level)
	if strings.Contains(s, " She ") {
		return strings.Replace(s, " She ", choose(r, " He ", " Ben "), 1)
	}
	return strings.Replace(s, " He ", choose(r, " She ", " Ann "), 1)
}

func openRequest(r *rand.Rand, level int) string {
	n := upTo(r, level)
	return choose(r,
		fmt.Sprintf("why is %d %s?", n, choose(r, "odd", "even", "prime")),
		"prove "+drawSum(r, level), "explain "+anyExpression(r, level), fmt.Sprintf("draw %d", n),
	)
}

func enormous(r *rand.Rand, _ int) string {
	return choose(r, infix(ofDigits(r, 6), '*', ofDigits(r, 5)), infix(between(r, 11, 99), '^', between(r, 9, 20)))
}

func whyStory(r *rand.Rand, level int) string {
	s := drawStory(r, level)
	return s[:strings.LastIndex(s, "How")] + "Why?"
}

// edited deletes, doubles or replaces one byte of a statement.
func edited(r *rand.Rand, level int) string {
	s := anyStatement(r, level)
	at := r.IntN(len(s))
	replacement := choose(r, "", s[at:at+1]+s[at:at+1], string(choose(r, []byte("+-*/%^()=,?x0123456789")...)))
	return s[:at] + replacement + s[at+1:]
}

func leadingZero(r *rand.Rand, level int) string {
	s := anyStatement(r, level)
	at := choose(r, digitRun.FindAllStringIndex(s, -1)...)[0]
	return s[:at] + "0" + s[at:]
}

func unclosed(r *rand.Rand, level int) string {
	s := choose(r, drawBrackets, drawComparison, drawGCD, drawDigitSum)(r, level)
	at := strings.IndexByte(s, choose[byte](r, '(', ')', ')'))
	return s[:at] + s[at+1:]
}

func danglingOperator(r *rand.Rand, level int) string {
	return anyExpression(r, level) + choose(r, "+", "-", "*", "/", "++")
}
