package grade

import "errors"

var (
	// errLimit says that a value is beyond what is written out or computed.
	errLimit = errors.New("beyond the limits of exact and numeric evaluation")
	// errUndefined says that an expression has no value.
	errUndefined = errors.New("no value: division by zero, or an argument outside a function's domain")
)

// work counts down the word multiplications that a judgement may still spend.
type work struct{ left int64 }

func (w *work) spend(n int64) error {
	if w.left -= n; w.left < 0 {
		return errLimit
	}
	return nil
}
