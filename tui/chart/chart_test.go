package chart_test

import (
	"math"
	"strings"
	"testing"

	"verge/tui/chart"
	"verge/tui/theme"
)

// look is a theme; for no terminal it writes no escape sequences.
func look(t *testing.T) *theme.Theme {
	t.Helper()
	dark, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	return dark
}

// compare holds a drawing to its lines; blanks at their ends do not matter.
func compare(t *testing.T, got []string, want string) {
	t.Helper()
	for i, line := range got {
		got[i] = strings.TrimRight(line, " ")
	}
	if joined := strings.TrimRight(strings.Join(got, "\n"), "\n"); joined != strings.Trim(want, "\n") {
		t.Errorf("drawn\n%s\nwant\n%s", joined, strings.Trim(want, "\n"))
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", -1.5: "-1.5", 12.34: "12.3", 99.96: "100", 123.4: "123", 0.1234: "0.123", 0.00123: "0.00123", 0.0001: "1.0e-04", 1234567: "1.2e+06",
		math.NaN(): "–", math.Inf(-1): "–",
	} {
		if got := chart.Number(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	compare(t, chart.Line{
		Series: []chart.Series{
			{Name: "up", X: x, Y: []float64{0, 1, 2, 3, 4}},
			{Name: "gap", Stroke: chart.Dotted, X: x, Y: []float64{4, 4, math.NaN(), 0, 0}},
		},
		X: "step", Y: "nats", Limit: &chart.Limit{Name: "limit", Value: 3},
	}.Draw(look(t), 40, 7), `
nats  ⠒⠒ up  ⠂⠂ gap  ╌╌ limit
4┤⠁⠈ ⠁⠈ ⠁⠈ ⠁                     ⣀⣀⠤⠤⠒⠒⠉
 │╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⢀⣀⣀⠤⠤⠒⠒⠉⠉╌╌╌╌╌╌╌
2┤              ⢀⣀⡠⠤⠔⠒⠊⠉⠁
 │       ⣀⣀⠤⠔⠒⠊⠉⠁
0┤⣀⠤⠤⠒⠒⠉⠉                     ⣀ ⡀⢀ ⡀⢀ ⡀⢀
           2                  4     step`)
}

func TestTooSmallALineIsItsLastValues(t *testing.T) {
	line := chart.Line{Series: []chart.Series{{Name: "a", X: []float64{1, 2}, Y: []float64{0.5, 0.25}}, {Name: "b", X: []float64{1}, Y: []float64{math.NaN()}}}, Y: "%"}
	compare(t, line.Draw(look(t), 18, 2), "% a 0.25 b –\n")
}

// In a low plane two marks may come to one row, of which one is named.
func TestMarksDoNotWriteOverEachOther(t *testing.T) {
	compare(t, chart.Line{Series: []chart.Series{{X: []float64{1, 2}, Y: []float64{-0.8, 0.85}}}, Y: "logit"}.Draw(look(t), 20, 6), `
logit
    │           ⢀⡠⠔⠊
 0.5┤       ⢀⡠⠔⠊⠁
-0.5┤   ⢀⡠⠔⠊⠁
    │⡠⠔⠊⠁
     1             2`)
}

func TestHistogram(t *testing.T) {
	h := chart.Histogram{Labels: []string{"0", "1", "2"}, Marked: []bool{false, true, false}, Name: "now", Values: []float64{4, 8, 0}, Base: []float64{8, 2, math.NaN()}, BaseName: "base", Y: "tasks"}
	compare(t, h.Draw(look(t), 30, 6), `
tasks, top 8  ▒ base  █ now
▒▒▒▒         ████
▒▒▒▒         ████
▒▒▒▒████     ████
▒▒▒▒████ ▒▒▒▒████ ▁▁▁▁▁▁▁▁
0        1★       2`)
	// Where there is no room for each category, two are added up.
	compare(t, h.Draw(look(t), 4, 4), `
tas…
▂█
▒█▁▁
0 2`)
}

func TestBars(t *testing.T) {
	nan := math.NaN()
	bars := chart.Bars{Max: 1, Head: []string{"mode", "rate, 95 %", "", "count"}, Rows: []chart.Bar{
		{Label: "sum", Value: 0.5, Low: 0.25, High: 0.75, Note: "4 of 8"},
		{Label: "power", Value: 1, Low: nan, High: nan, Note: "1 of 1"},
		{Label: "none", Value: nan, Low: nan, High: nan, Note: "0 of 0"},
	}}
	compare(t, bars.Draw(look(t), 40, 5), `
mode  rate, 95 %                   count
sum   █████▓▓▓▓▓▓─────┤      0.5  4 of 8
power ██████████████████████   1  1 of 1
none                           –  0 of 0
`)
	compare(t, bars.Draw(look(t), 40, 3), `
mode  rate, 95 %                   count
sum   █████▓▓▓▓▓▓─────┤      0.5  4 of 8
+2 more`)
}

func TestHeat(t *testing.T) {
	heat := chart.Heat{Rows: []string{"base", "propel"}, Columns: []string{"sum", "power"}, Values: [][]float64{{0, 0.5}, {1, math.NaN()}}, High: 1}
	compare(t, heat.Draw(look(t), 30, 3), `
         sum power
base       0 ▒ 0.5
propel █   1     –`)
	compare(t, heat.Draw(look(t), 16, 2), `
        sum +1
+2 more`)
}

func TestReliability(t *testing.T) {
	nan := math.NaN()
	compare(t, chart.Reliability{Forecasts: []chart.Forecast{{Name: "Platt", Mark: '●', Groups: []chart.Group{
		{Predicted: 0.2, Observed: 0.4}, {Predicted: 0.8, Observed: 0.8}, {Predicted: nan},
	}}}}.Draw(look(t), 40, 8), `
observed  ⠂⠂ calibrated  ● Platt
   │                               ⢀ ⠄⠐●
   │                        ⡀⠠ ⠄⠐ ⠁
0.5┤                  ⡀⠠ ⠂⠈
   │         ●  ⡀⠠ ⠂⠈
   │      ⡀⠠ ⠂⠈
  0┤⡀⠠ ⠂⠈
    0                    0.5   predicted`)
}

func TestSpark(t *testing.T) {
	if got := chart.Spark([]float64{0, 1, math.NaN(), 7}, 6); got != "▁▂ █  " {
		t.Errorf("spark %q", got)
	}
	if got := chart.Spark([]float64{0, 2, 6, 8}, 2); got != "▁█" {
		t.Errorf("squeezed spark %q", got)
	}
	if got := chart.SparkOver([]float64{0, 4}, 2, 0, 8); got != "▁▅" {
		t.Errorf("spark on a scale of others %q", got)
	}
}

func BenchmarkLine(b *testing.B) {
	dark, err := theme.New("dark")
	if err != nil {
		b.Fatal(err)
	}
	var x, y, low, high []float64
	for i := range 500 {
		v := math.Sin(float64(i) / 40)
		x, y, low, high = append(x, float64(i)), append(y, v), append(low, v-0.2), append(high, v+0.2)
	}
	line := chart.Line{Series: []chart.Series{{Name: "a", X: x, Y: y, Low: low, High: high}, {Name: "b", X: x, Y: low, Stroke: chart.Dashed}}}
	for b.Loop() {
		line.Draw(dark, 198, 56)
	}
}
