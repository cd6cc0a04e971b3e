package chart

import (
	"math"
	"strconv"
	"strings"
)

// Number is a figure in at most six cells or so: three significant digits, no exponent between a thousandth and a million. What is not
// finite is Undefined.
func Number(x float64) string {
	if !finite(x) {
		return Undefined
	}
	size := math.Abs(x)
	switch {
	case x == 0:
		return "0"
	case size >= 1e6 || size < 1e-3:
		return strconv.FormatFloat(x, 'e', 1, 64)
	case size >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	s := strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(size)))), 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// axis is a range of values with marks at round numbers.
type axis struct {
	low, high float64
	ticks     []float64
}

// newAxis covers values with at most count marks or so; whole keeps the marks on whole numbers. Values that are not finite are left out.
func newAxis(values []float64, count int, whole bool) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if finite(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	if low == high {
		d := max(math.Abs(low)/10, 0.5)
		low, high = low-d, high+d
	}
	a := axis{low: low, high: high}
	step := round((high/2 - low/2) / float64(max(1, count)) * 2)
	if whole {
		step = max(1, step)
	}
	for range 3 { // a step of its size or so that has two marks in the range
		a.mark(step)
		if len(a.ticks) >= 2 || whole {
			break
		}
		step = round(step / 2.5)
	}
	return a
}

// mark sets the marks at the multiples of a step; where numbers are too close to each other, or too far apart, to count steps between
// them, at the ends.
func (a *axis) mark(step float64) {
	first, last := math.Ceil(a.low/step), math.Floor(a.high/step)
	if !(step > 0) || !(math.Abs(first) < 1e12) || !(math.Abs(last) < 1e12) || last-first > 1000 {
		a.ticks = []float64{a.low, a.high}
		return
	}
	a.ticks = a.ticks[:0]
	for i := first; i <= last; i++ {
		a.ticks = append(a.ticks, i*step)
	}
}

// round is the next of 1, 2, 5, 10, … times a power of ten.
func round(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// wholes says that every finite value is a whole number.
func wholes(values []float64) bool {
	for _, x := range values {
		if finite(x) && x != math.Trunc(x) {
			return false
		}
	}
	return true
}
