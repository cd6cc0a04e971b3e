package chart

import "math"

var levels = []rune("▁▂▃▄▅▆▇█")

// Spark is a row of exactly width cells that shows how a figure moved: all of its values, several a cell by their mean where there are more.
// The least is the lowest block and the largest the highest; a value that is not finite is a blank. Cells without a value are blanks on
// the right.
func Spark(values []float64, width int) string {
	cells := squeeze(values, width)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range cells {
		if finite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return SparkOver(values, width, low, high)
}

// SparkOver is Spark with a scale that others share: low is the lowest block and high the highest.
func SparkOver(values []float64, width int, low, high float64) string {
	if width <= 0 {
		return ""
	}
	cells := squeeze(values, width)
	out := make([]rune, width)
	for i := range out {
		out[i] = ' '
		if i < len(cells) && finite(cells[i]) {
			out[i] = levels[min(len(levels)-1, int(unit(cells[i], low, high)*float64(len(levels))))]
		}
	}
	return string(out)
}

// squeeze is values by means of neighbours, so that there are at most n.
func squeeze(values []float64, n int) []float64 {
	if len(values) <= n || n <= 0 {
		return values
	}
	out := make([]float64, n)
	for i := range out {
		count := 0.0
		for _, v := range values[i*len(values)/n : (i+1)*len(values)/n] {
			if finite(v) {
				count++
				out[i] += v/count - out[i]/count // the difference of the two may be too large
			}
		}
		if count == 0 {
			out[i] = math.NaN()
		}
	}
	return out
}
