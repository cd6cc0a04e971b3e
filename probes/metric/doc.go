// Package metric measures how well scores rank and predict, and how sure a rate is.
//
// A figure that the data leaves undefined, such as a ranking of one class, comes back as false, never as a number that could be
// mistaken for a result. Slices of unequal length that should go together are a programming error and panic.
package metric

import "fmt"

func sameLength(name string, lengths ...int) {
	for _, n := range lengths {
		if n != lengths[0] {
			panic(fmt.Sprintf("metric: %s: slices of lengths %v go together, and must be equally long", name, lengths))
		}
	}
}
