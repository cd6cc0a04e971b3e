package lists

import (
	"strings"
	"testing"

	"verge/runner/event"
)

func FuzzContainsFold(f *testing.F) {
	f.Add("The Sum of 2", "sum")
	f.Add("ÄÖÜ", "äö")
	f.Add("aaaB", "aab")
	f.Fuzz(func(t *testing.T, s, sub string) {
		lower := strings.ToLower(sub)
		if lower == "" {
			return
		}
		if strings.Contains(s, lower) && !containsFold(s, lower) {
			t.Errorf("%q is not found in %q", lower, s)
		}
		if isASCII(s) && containsFold(s, lower) != strings.Contains(strings.ToLower(s), lower) {
			t.Errorf("%q in %q: %v", lower, s, containsFold(s, lower))
		}
	})
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func TestMatcher(t *testing.T) {
	k := event.Key{Arm: "Propel-WCO", Stage: event.Train, Step: 3, Proposal: 17}
	for want, ok := range map[string]bool{"": true, "wco": true, "TRAIN": true, "train/3/17": true, "wco/train": true, "17": false, "eval": false} {
		s := search{kept: want}
		if got := s.matcher().key(k); got != ok {
			t.Errorf("%q in %s: %v", want, k, got)
		}
	}
}

func TestSearchIsDrawnSafely(t *testing.T) {
	c := newLive(t, started()).context()
	s := search{kept: "\x1b[2J漢字\u202e"}
	if line := s.view(c, 6)[0]; line != "/ 漢…" && line != "/ 漢字" {
		t.Errorf("drawn as %q", line)
	}
}
