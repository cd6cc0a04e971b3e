package grade

// reading is what an answer turned out to be.
type reading interface{ kind() string }

// quantity is an expression, perhaps with a unit or a percent sign.
type quantity struct {
	x       *expr
	unit    string // canonical, or ""
	percent bool
	soft    string // letters at the end that may be a unit rather than variables, as in 10 m
	softX   *expr  // what is before them
}

// collection is a list or a set; its order does not matter.
type collection struct {
	items  []reading
	braced bool
}

// tuple is ordered, and its brackets matter. Two items may also be the ends of an interval.
type tuple struct {
	open, close string
	items       []reading
}

// region is a set of real numbers made of intervals.
type region struct{ parts []interval }

// interval is a connected set of real numbers; infinite ends are ±∞.
type interval struct {
	low, high             *expr
	lowClosed, highClosed bool
}

// relation is a chain of equations or inequalities that is no statement about one variable alone, or too hard to solve.
type relation struct {
	sides []*expr
	ops   []string
}

// labelled is a reading with the name that it is the value of: x = 5, y ∈ [0,1].
type labelled struct {
	name string
	of   reading
}

// matrix is a matrix, or a determinant where bars enclose it.
type matrix struct {
	rows        [][]*expr
	determinant bool
}

// ratio is a : b : c, or a time of day. The spellings tell 12:00 from 12:0.
type ratio struct {
	parts  []*expr
	spelt  []string
	suffix string // am or pm
}

// based is a numeral with its base.
type based struct {
	digits string
	base   int
}

// choice is the letter of an option, perhaps with what the option says.
type choice struct {
	letter string
	says   reading // or nil
}

// prose is text, in lower case and without punctuation.
type prose struct{ text string }

func (quantity) kind() string   { return "an expression" }
func (collection) kind() string { return "a list" }
func (tuple) kind() string      { return "a tuple" }
func (region) kind() string     { return "a set of intervals" }
func (relation) kind() string   { return "a relation" }
func (labelled) kind() string   { return "a named value" }
func (matrix) kind() string     { return "a matrix" }
func (ratio) kind() string      { return "a ratio" }
func (based) kind() string      { return "a numeral with a base" }
func (choice) kind() string     { return "an option" }
func (prose) kind() string      { return "a text" }
