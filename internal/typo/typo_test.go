package typo

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"doctor", "grade", "push", "replay", "report", "run", "runs", "sweep"}
	for written, want := range map[string]string{
		"rnu": "run", "runz": "run", "Reports": "report", "repo": "report", "rep": "replay", "swep": "sweep", "d": "doctor", "RUN": "run",
		"": "", "x": "", "xy": "", "mine": "", "compare": "", "\xff": "", "версия": "",
	} {
		if got := Nearest(written, commands); got != want {
			t.Errorf("the nearest to %q is %q, want %q", written, got, want)
		}
	}
	if got := Nearest("run", nil); got != "" {
		t.Errorf("of no names %q is the nearest", got)
	}
}
