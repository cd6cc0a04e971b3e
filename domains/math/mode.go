package math

import "strings"

// The modes: what a step of a solution exercises, the M of DIAG-POP for mathematics.
const (
	ModeAddition    = "addition"             // a sum of single columns without a carry
	ModeCarry       = "carry"                // a sum that carries
	ModeSubtraction = "subtraction"          // a difference without a borrow
	ModeBorrow      = "borrow"               // a difference that borrows
	ModeSign        = "sign"                 // a negative result
	ModeTable       = "multiplication_table" // a product of two digits, zeros behind them aside
	ModeProduct     = "long_product"         // any other product
	ModeDivision    = "division"
	ModeRemainder   = "remainder"
	ModePower       = "power"
	ModeOrder       = "order_of_operations" // which operation is the first
	ModeInverse     = "inverse_operation"   // undoing what was done to an unknown
	ModePattern     = "pattern"             // finding the rule of a sequence
	ModeComparison  = "comparison"
	ModeReading     = "reading" // finding the operation in a story
)

// Modes lists what a step can exercise.
func (Domain) Modes() []string {
	return []string{
		ModeAddition, ModeCarry, ModeSubtraction, ModeBorrow, ModeSign, ModeTable, ModeProduct, ModeDivision, ModeRemainder,
		ModePower, ModeOrder, ModeInverse, ModePattern, ModeComparison, ModeReading,
	}
}

// modeOfType is the mode of every step of a type; a type that is not in it has steps of different modes.
var modeOfType = map[string]string{
	Quotient: ModeDivision, Remainder: ModeRemainder, Power: ModePower, Equation: ModeInverse, System: ModeInverse,
	Sequence: ModePattern, Comparison: ModeComparison, GCD: ModeRemainder,
}

// modeOfFirst is the mode of the first step of a type: where to begin is what those types are about.
var modeOfFirst = map[string]string{
	Precedence: ModeOrder, Brackets: ModeOrder, StorySum: ModeReading, StoryDifference: ModeReading,
	StoryProduct: ModeReading, StoryQuotient: ModeReading,
}

// modeOfLine is the mode of the line at an index of a worked solution: from the type, then from its place, then from what it says.
func modeOfLine(kind string, index int, line string) (string, bool) {
	if mode, ok := modeOfType[kind]; ok {
		return mode, true
	}
	if mode, ok := modeOfFirst[kind]; ok && index == 0 {
		return mode, true
	}
	return modeOfContent(line)
}

// modeOfContent is the mode of an equation by its main operation: the one carried out last on its left side.
func modeOfContent(line string) (string, bool) {
	left, _, _ := strings.Cut(line, "=")
	n, f := readWorked(left)
	if f != nil {
		return "", false
	}
	return n.mode()
}

// mode is the mode of an operation; false of what is none, or has no value.
func (n *node) mode() (string, bool) {
	if n.left == nil {
		return "", false
	}
	a, fa := n.left.evaluate(stepLimit)
	b, fb := n.right.evaluate(stepLimit)
	if fa != nil || fb != nil {
		return "", false
	}
	switch n.op {
	case '+':
		if a < 0 || b < 0 {
			return modeOfDifference(a, -b), true
		}
		return modeOfSum(n), true
	case '-':
		if mode, ok := n.left.mode(); ok && mode == ModeBorrow {
			return ModeBorrow, true // 10-1-5: the first of two subtractions borrows
		}
		return modeOfDifference(a, b), true
	case '*':
		if len(placesOf(magnitude(a))) < 2 && len(placesOf(magnitude(b))) < 2 {
			return ModeTable, true
		}
		return ModeProduct, true
	case '/':
		return ModeDivision, true
	case '%':
		return ModeRemainder, true
	case '^':
		return ModePower, true
	}
	return ModeComparison, true
}

// modeOfSum tells a sum that carries by its columns: the digits of all terms are added place by place.
func modeOfSum(n *node) string {
	var terms []int64
	for ; n.op == '+'; n = n.left {
		v, f := n.right.evaluate(stepLimit)
		if f != nil {
			return ModeAddition
		}
		terms = append(terms, v)
	}
	if v, f := n.evaluate(stepLimit); f == nil {
		terms = append(terms, v)
	}
	for unit := int64(1); unit <= stepLimit/10; unit *= 10 {
		column := int64(0)
		for _, v := range terms {
			column += max(v, 0) / unit % 10
		}
		if column > 9 {
			return ModeCarry
		}
	}
	return ModeAddition
}

// modeOfDifference tells a difference that borrows by its columns: some digit of b is greater than that of a above it.
func modeOfDifference(a, b int64) string {
	switch {
	case a < b:
		return ModeSign
	case a < 0 || b < 0:
		return ModeSubtraction
	}
	for ; b > 0; a, b = a/10, b/10 {
		if a%10 < b%10 {
			return ModeBorrow
		}
	}
	return ModeSubtraction
}

// carries counts the lines that carry or borrow.
func carries(lines []string) int {
	count := 0
	for _, line := range lines {
		if mode, ok := modeOfContent(line); ok && (mode == ModeCarry || mode == ModeBorrow) {
			count++
		}
	}
	return count
}

// difficulty orders the modes that one solution of mixed modes can have, the hardest last.
var difficulty = []string{
	ModeAddition, ModeSubtraction, ModeTable, ModePower, ModeCarry, ModeBorrow, ModeRemainder, ModeSign, ModeDivision, ModeProduct,
}

// dominantMode is the mode of an answer that is given without steps: that of the type or of the place to begin; of a single
// operation its own; otherwise the hardest among the lines of a worked solution.
func dominantMode(q question) string {
	kind := q.kind()
	if mode, ok := modeOfType[kind]; ok {
		return mode
	}
	if mode, ok := modeOfFirst[kind]; ok {
		return mode
	}
	if e, ok := q.(expression); ok && e.single() {
		if mode, ok := e.root.mode(); ok {
			return mode
		}
	}
	hardest := 0
	for _, line := range q.work() {
		mode, _ := modeOfContent(line)
		for i, m := range difficulty {
			if m == mode {
				hardest = max(hardest, i)
			}
		}
	}
	return difficulty[hardest]
}
