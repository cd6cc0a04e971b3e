package chat

import (
	"fmt"
	"time"

	"github.com/ardanlabs/jinja"
)

// A template is part of a file from elsewhere, and the library does whatever it says. These are far above what a model's template needs.
const (
	maxSource  = 64 << 10         // bytes of a template: reading it takes stack for every bracket that is open
	maxNumbers = 1000             // in one range of a template
	maxTime    = 10 * time.Second // to render a conversation
)

// numbers is Jinja's range, of at most maxNumbers.
var numbers = jinja.NewCallable("range", func(args []jinja.Value, _ map[string]jinja.Value) (jinja.Value, error) {
	given := make([]int64, len(args))
	for i, a := range args {
		if !a.IsInt() {
			return jinja.Undefined(), fmt.Errorf("range: argument %d is no integer", i+1)
		}
		given[i] = a.AsInt()
	}
	start, step := int64(0), int64(1)
	var stop int64
	switch len(given) {
	case 1:
		stop = given[0]
	case 2:
		start, stop = given[0], given[1]
	case 3:
		start, stop, step = given[0], given[1], given[2]
	default:
		return jinja.Undefined(), fmt.Errorf("range takes 1 to 3 arguments, not %d", len(args))
	}
	if step == 0 {
		return jinja.Undefined(), fmt.Errorf("range: a step of 0")
	}
	var items []jinja.Value
	for at := start; step > 0 && at < stop || step < 0 && at > stop; at += step {
		if len(items) == maxNumbers {
			return jinja.Undefined(), fmt.Errorf("range: more than %d numbers", maxNumbers)
		}
		items = append(items, jinja.NewInt(at))
	}
	return jinja.NewList(items), nil
})
