package grade

// Bounds on what is read and computed. They bound time as well, since every step's cost is a function of these.
const (
	maxText      = 2048               // bytes of one answer
	maxNesting   = 60                 // brackets, groups, exponents and arguments inside one another
	maxDigits    = 4000               // decimal digits of a number that is written out
	maxBits      = maxDigits * 10 / 3 // the same in bits
	maxTerms     = 200                // terms of a polynomial in normal form
	maxDegree    = 60000              // exponent of a generator in a monomial
	maxPrecision = 1 << 14            // bits of a computed value
	maxWork      = 400 << 20          // word multiplications of one judgement, roughly
)
