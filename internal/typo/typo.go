// Package typo finds the name that somebody most likely meant who wrote another.
package typo

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the nearest of names, the first of those that are equally near; "" where none is near: one that begins with what was written, or
// that few letters tell from it.
func Nearest(written string, names []string) string {
	written = strings.ToLower(written)
	best, least := "", min(max(2, len(written)/4), len(written)-1)+1
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := levenshtein.ComputeDistance(written, lower)
		if strings.HasPrefix(lower, written) {
			distance = 0
		}
		if distance < least {
			best, least = name, distance
		}
	}
	return best
}
