package profiles

import (
	"strconv"
	"strings"
	"time"
)

// Duration is a time as a profile writes it: a number and its unit, such as "30m".
type Duration time.Duration

// String is the duration without units that are zero: 30m, not 30m0s.
func (d Duration) String() string {
	s := time.Duration(d).String()
	for _, zero := range []string{"0s", "0m"} {
		if short := strings.TrimSuffix(s, zero); short != s && strings.HasSuffix(short, map[string]string{"0s": "m", "0m": "h"}[zero]) {
			s = short
		}
	}
	return s
}

// MarshalTOML writes the duration as text.
func (d Duration) MarshalTOML() ([]byte, error) { return []byte(strconv.Quote(d.String())), nil }

func asDuration(v any) (Duration, bool) {
	s, ok := v.(string)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	return Duration(d), err == nil
}

// lasting allows durations from low to high.
func lasting(low, high time.Duration) rule {
	return rule{`a number and its unit (s, m, h), as in "90s": ` + Duration(low).String() + " to " + Duration(high).String(), outOfRange, func(v any) bool {
		d := time.Duration(v.(Duration))
		return low <= d && d <= high
	}}
}
