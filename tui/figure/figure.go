// Package figure writes figures for a person, in few cells.
package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"verge/runner/event"
)

// Unknown stands for a figure that is undefined.
const Unknown = "–"

// Defined is a figure that may be undefined, as the other functions take it.
func Defined(x float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &x
}

// Share is a part of a whole; a share of nothing is undefined.
func Share(n, of int) *float64 { return Defined(float64(n)/float64(of), of != 0) }

// Rate is a rate in percent with its 95 % interval, where it has one.
func Rate(r event.Rate) string {
	return strings.TrimSpace(Percent(Defined(r.Value())) + " " + Bounds(r))
}

// Bounds are the ends of a rate's 95 % interval, in percent; "" where it is undefined.
func Bounds(r event.Rate) string {
	low, high, ok := r.Interval()
	if !ok {
		return ""
	}
	return fmt.Sprintf("[%.1f, %.1f]", 100*low, 100*high)
}

// Percent is a share in percent; Unknown of none.
func Percent(share *float64) string {
	if !defined(share) {
		return Unknown
	}
	return fmt.Sprintf("%.1f %%", 100**share)
}

// Points is a difference of shares in percentage points, with its sign.
func Points(difference *float64) string {
	if !defined(difference) {
		return Unknown
	}
	return signed(100**difference, 1)
}

// Interval is the ends of an interval of differences of shares, in percentage points; "" where there is none.
func Interval(low, high *float64) string {
	if !defined(low) || !defined(high) {
		return ""
	}
	return fmt.Sprintf("[%s, %s]", signed(100**low, 1), signed(100**high, 1))
}

// Number is a figure with some decimals; Unknown of none.
func Number(x *float64, decimals int) string {
	if !defined(x) {
		return Unknown
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

// Signed is a difference of figures with its sign; Unknown of none.
func Signed(x *float64, decimals int) string {
	if !defined(x) {
		return Unknown
	}
	return signed(*x, decimals)
}

// signed writes no minus before a zero.
func signed(x float64, decimals int) string {
	s := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(s, "-0.") == "" {
		return "+" + s[1:]
	}
	return s
}

func defined(x *float64) bool { return x != nil && !math.IsNaN(*x) && !math.IsInf(*x, 0) }

// Count is a number with its thousands set apart.
func Count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted is a number of things; one is the name of one of them.
func Counted[T int | int64](n T, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// Bytes is a size in decimal units.
func Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

// About is a duration to two figures or so: what an estimate is worth.
func About(d time.Duration) string {
	switch {
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 100*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}

// Clock is a duration as m:ss, or h:mm:ss.
func Clock(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Age is how long ago something was, in the largest unit of which one has passed.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "ahead"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// Cost is what a run takes.
type Cost struct {
	Attempts int           // of the solver, at the most
	Answers  int           // of oracles, at the most
	Time     time.Duration // about; 0: not known
	Runs     int           // finished runs that the time is from
}

// String says it in a sentence.
func (c Cost) String() string {
	s := "At most " + Count(c.Attempts) + " attempts of the solver"
	if c.Answers > 0 {
		s += " and " + Counted(c.Answers, "answer") + " of oracles"
	}
	s += ", "
	if c.Time == 0 {
		return s + "no run like it on this machine yet: time not known."
	}
	return s + "about " + About(c.Time) + ", going by " + Counted(c.Runs, "run") + " on this machine."
}
