package chart_test

import (
	"encoding/binary"
	"math"
	"testing"

	"verge/tui/chart"
	"verge/tui/text"
	"verge/tui/theme"
)

// Any values, finite or not, in any number, in boxes of any size: a drawing comes back, and is its box.
func FuzzDraw(f *testing.F) {
	inf, nan := math.Inf(1), math.NaN()
	for _, values := range [][]float64{
		nil, {nan}, {inf, -inf, nan}, {0}, {1, 1, 1}, {1e300, -1e300, 0}, {math.MaxFloat64, -math.MaxFloat64}, {5e-324, 0, -5e-324}, {1e20, math.Nextafter(1e20, inf)},
		{1, 2, nan, 4, inf, 3, -1, 0.5, 1e9}, {0.1, 0.2, 0.3, 0.25, 0.15, 0.05},
	} {
		var data []byte
		for _, v := range values {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		for _, size := range [][2]int{{0, 0}, {-1, 5}, {1, 1}, {2, 3}, {11, 2}, {20, 4}, {60, 12}, {198, 56}} {
			f.Add(data, size[0], size[1], "name")
		}
	}
	f.Add([]byte("12345678abcdefgh\x00\x00\x00\x00\x00\x00\xf0\x7f"), 33, 7, "\x1b[31m漢字\n\u202e")
	f.Fuzz(func(t *testing.T, data []byte, width, height int, name string) {
		width, height = width%300, height%100
		var values []float64
		for len(data) >= 8 && len(values) < 500 {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			data = data[8:]
		}
		for kind, drawing := range drawings(t, values, name, width, height) {
			check(t, kind, drawing, width, height)
		}
		if line := chart.Spark(values, width); text.Width(line) != max(0, width) {
			t.Errorf("spark of %v is %d cells wide, not %d", values, text.Width(line), width)
		}
	})
}

// drawings makes every kind of chart of the same values.
func drawings(t *testing.T, values []float64, name string, width, height int) map[string][]string {
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	half := values[:len(values)/2]
	first := math.NaN()
	if len(values) > 0 {
		first = values[0]
	}
	var labels []string
	var marked []bool
	var bars []chart.Bar
	var groups []chart.Group
	var steps []float64
	for i, v := range values {
		other := values[len(values)-1-i]
		labels, marked, steps = append(labels, name), append(marked, i%3 == 0), append(steps, float64(i))
		bars = append(bars, chart.Bar{Label: name, Value: v, Low: other, High: first, Note: name, Token: theme.SeriesA})
		groups = append(groups, chart.Group{Predicted: v, Observed: other})
	}
	return map[string][]string{
		"line": chart.Line{Series: []chart.Series{
			{Name: name, X: values, Y: half},
			{Name: name, X: steps, Y: values, Low: half, High: values, Stroke: chart.Dashed},
			{Name: name, X: half, Y: values, Stroke: chart.Dotted},
		}, X: name, Y: name, Limit: &chart.Limit{Name: name, Value: first}, From: &first}.Draw(look, width, height),
		"histogram":   chart.Histogram{Labels: labels, Marked: marked, Name: name, Values: values, Y: name}.Draw(look, width, height),
		"histogram 2": chart.Histogram{Labels: labels[:len(half)], Name: name, Values: values, Base: half, BaseName: name, Y: name}.Draw(look, width, height),
		"bars":        chart.Bars{Rows: bars, Max: first, Head: []string{name, name, name, name}}.Draw(look, width, height),
		"heat":        chart.Heat{Rows: labels, Columns: append(labels, name), Values: [][]float64{values, half}, Low: first, High: 1}.Draw(look, width, height),
		"reliability": chart.Reliability{Forecasts: []chart.Forecast{{Name: name, Mark: '○'}, {Name: name, Mark: '●', Groups: groups}}}.Draw(look, width, height),
	}
}

func check(t *testing.T, kind string, lines []string, width, height int) {
	t.Helper()
	if width <= 0 || height <= 0 {
		if len(lines) != 0 {
			t.Errorf("%s of %d × %d has %d lines", kind, width, height, len(lines))
		}
		return
	}
	if len(lines) != height {
		t.Fatalf("%s of %d × %d has %d lines", kind, width, height, len(lines))
	}
	for i, line := range lines {
		if text.Width(line) != width {
			t.Errorf("%s of %d × %d: line %d is %d cells wide: %q", kind, width, height, i, text.Width(line), line)
		}
		if line != text.Safe(line) {
			t.Errorf("%s of %d × %d: line %d holds control characters: %q", kind, width, height, i, line)
		}
	}
}
