package runner

import (
	"errors"

	"verge/runner/store"
)

// also joins what went wrong next to an error, unless it says the same again: a writer that is stopped returns one error to every call.
func also(err, next error) error {
	if next == nil || errors.Is(err, next) || store.Full(err) && store.Full(next) {
		return err
	}
	return errors.Join(err, next)
}
