// Package grade judges whether a mathematical answer says the same as a gold answer.
//
// A judgement has three verdicts. It is equal or different where that is settled, and undecided only where the gold cannot be read,
// or where both sides were read and nothing settles the question. An answer that cannot be read is different, and marked, so that
// writing garbage never pays.
//
// Both sides go through the same steps: tokens, a reading (a quantity, a list, a tuple, a set of reals, an equation, a matrix, a
// text …), and a comparison that depends on what was read. Expressions are compared exactly where a normal form exists: as quotients
// of polynomials with rational coefficients over variables, π, e and roots of primes. Constants that escape it are computed with
// big floats: two that lie apart differ, and two algebraic ones that lie closer than their separation bound are the same number
// (Burnikel, Funke, Mehlhorn, Schirra, Schmitt, "A Separation Bound for Real Algebraic Expressions", ESA 2001, theorem 1).
// Expressions in variables that escape it are computed at random points.
//
// Variables stand for real numbers, and two expressions are compared where both are defined over the reals: √(1/n) is 1/√n,
// because neither has a value at a negative n, but √(x²) is not x.
//
// All work is bounded by counters, never by clocks, so that a verdict depends on nothing but the two texts.
package grade
