package figure_test

import (
	"math"
	"testing"
	"time"

	"verge/runner/event"
	"verge/tui/figure"
)

func TestFigures(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	for _, c := range []struct{ got, want string }{
		{figure.Percent(x(0.2137)), "21.4 %"},
		{figure.Percent(x(math.NaN())), "–"},
		{figure.Percent(nil), "–"},
		{figure.Percent(figure.Share(1, 3)), "33.3 %"},
		{figure.Percent(figure.Share(0, 0)), "–"},
		{figure.Rate(event.Rate{}), "–"},
		{figure.Points(x(0.1163)), "+11.6"},
		{figure.Points(x(-0.0001)), "+0.0"},
		{figure.Points(x(-0.0123)), "-1.2"},
		{figure.Interval(x(-0.01), x(0.02)), "[-1.0, +2.0]"},
		{figure.Interval(nil, x(0.02)), ""},
		{figure.Interval(x(0), x(math.Inf(1))), ""},
		{figure.Number(x(0.25), 2), "0.25"},
		{figure.Signed(x(-0.25), 2), "-0.25"},
		{figure.Signed(x(12), 0), "+12"},
		{figure.Count(0), "0"},
		{figure.Count(999), "999"},
		{figure.Count(1000), "1,000"},
		{figure.Count(1234567), "1,234,567"},
		{figure.Count(-999), "-999"},
		{figure.Count(-1000), "-1,000"},
		{figure.Counted(0, "run"), "0 runs"},
		{figure.Counted(1, "run"), "1 run"},
		{figure.Counted(1000, "run"), "1,000 runs"},
		{figure.Bytes(999), "999 B"},
		{figure.Bytes(2_340_000), "2.3 MB"},
		{figure.About(18200 * time.Millisecond), "19 s"},
		{figure.About(14 * time.Minute), "14 min"},
		{figure.About(3 * time.Hour), "3 h"},
		{figure.About(200 * time.Hour), "8 days"},
		{figure.Clock(83 * time.Second), "1:23"},
		{figure.Clock(3*time.Hour + 4*time.Minute + 5*time.Second), "3:04:05"},
		{figure.Age(59 * time.Second), "59 s"},
		{figure.Age(90 * time.Minute), "1 h"},
		{figure.Age(49 * time.Hour), "2 d"},
		{figure.Age(-time.Second), "ahead"},
		{figure.Cost{Attempts: 1600}.String(), "At most 1,600 attempts of the solver, no run like it on this machine yet: time not known."},
		{figure.Cost{Attempts: 1600, Answers: 400, Time: time.Minute, Runs: 2}.String(), "At most 1,600 attempts of the solver and 400 answers of oracles, about 60 s, going by 2 runs on this machine."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
