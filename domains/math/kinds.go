package math

import "math/rand/v2"

// The task types.
const (
	Sum             = "sum"
	Difference      = "difference"
	Product         = "product"
	Quotient        = "quotient"
	Remainder       = "remainder"
	Power           = "power"
	Chain           = "chain"
	Precedence      = "precedence"
	Brackets        = "brackets"
	Equation        = "equation"
	System          = "system"
	Sequence        = "sequence"
	Comparison      = "comparison"
	GCD             = "gcd"
	Average         = "average"
	DigitSum        = "digit_sum"
	Fraction        = "fraction"
	StorySum        = "story_sum"
	StoryDifference = "story_difference"
	StoryProduct    = "story_product"
	StoryQuotient   = "story_quotient"
)

// kindOf is a task type as the corpus draws it.
type kindOf struct {
	name string
	// propose and solve are the type's weights among valid statements in the text of the two roles.
	propose, solve float64
	// draw makes a statement of a level, which is nearly always valid and of the type.
	draw func(r *rand.Rand, level int) string
	// neighbours are the types most easily taken for it.
	neighbours []string
}

// kinds holds the weights of the types: with the constants of corpus.go, all there is to tune about the corpus.
var kinds = []kindOf{
	{Sum, 11, 12, drawSum, []string{Chain, Difference, DigitSum}},
	{Difference, 9, 9, drawDifference, []string{Sum, Chain, StoryDifference}},
	{Product, 9, 9, drawProduct, []string{Precedence, Power, Quotient}},
	{Quotient, 4, 6, drawQuotient, []string{Remainder, Fraction, Product}},
	{Remainder, 5, 6, drawRemainder, []string{Quotient, GCD, Product}},
	{Power, 4, 4, drawPower, []string{Product, Precedence}},
	{Chain, 7, 6, drawChain, []string{Sum, Difference, Precedence}},
	{Precedence, 8, 7, drawPrecedence, []string{Chain, Brackets, Product}},
	{Brackets, 8, 7, drawBrackets, []string{Precedence, Chain, Product}},
	{Equation, 6, 7, drawEquation, []string{System, Precedence}},
	{System, 3, 3, drawSystem, []string{Equation, Sequence}},
	{Sequence, 5, 6, drawSequence, []string{Comparison, System}},
	{Comparison, 6, 4, drawComparison, []string{GCD, Average}},
	{GCD, 4, 4, drawGCD, []string{Comparison, Average, Remainder}},
	{Average, 2, 3, drawAverage, []string{Comparison, GCD, Chain}},
	{DigitSum, 5, 4, drawDigitSum, []string{Sum, Chain}},
	{Fraction, 3, 4, drawFraction, []string{Quotient, Product}},
	{StorySum, 3, 2, drawStorySum, []string{StoryDifference, StoryProduct}},
	{StoryDifference, 3, 2, drawStoryDifference, []string{StorySum, StoryQuotient}},
	{StoryProduct, 3, 2, drawStoryProduct, []string{StoryQuotient, StorySum}},
	{StoryQuotient, 1, 2, drawStoryQuotient, []string{StoryProduct, Quotient}},
}
