package grade

import "testing"

// TestGarbageDoesNotPay judges predictions that cannot be read or computed: they are different and marked, never undecided.
func TestGarbageDoesNotPay(t *testing.T) {
	for _, gold := range []string{"5", `\sqrt{2}`, `\frac{\pi}{4}`, `x^2+1`, `(1,2)`, `\{1,2\}`, `x<3`, `52_8`, `7:32`} {
		for _, prediction := range []string{"", " ", "$$", "((((", `\frac{`, `\boxed{5`, `\foo`, "5+", "???", "1/0", `\ln 0`, `\begin{pmatrix}1&2\\3\end{pmatrix}`, "\x00"} {
			if got := Judge(gold, prediction); got.Verdict != Different || !got.Unreadable {
				t.Errorf("%s against %q: %s (%s), unreadable %v", gold, prediction, got.Verdict, got.Reason, got.Unreadable)
			}
		}
	}
	for _, gold := range []string{"5", `\sqrt{2}`, `\frac{\pi}{4}`, "-3", "i"} {
		for _, prediction := range []string{"9^{9^{9^9}}-9^{9^{9^9}}+9^{9^9}", "-9^{9^{9^{9}}}", `10^{100000}+5-10^{99999}\cdot10`, `\sin(9^{9^{9^9}})`, `\ln(\cos 60^\circ-\frac12)`, `x9^{9^{9^9}}`} {
			if got := Judge(gold, prediction); got.Verdict != Different {
				t.Errorf("%s against %q: %s (%s)", gold, prediction, got.Verdict, got.Reason)
			}
		}
	}
}

func TestReadablePredictionsAreNotMarked(t *testing.T) {
	for _, pair := range [][2]string{{"5", "6"}, {"5", "x"}, {`\sqrt2`, "1.41"}, {"East", "West"}, {"(1,2)", "1"}, {"C", "(D)"}, {"10 cm", "10 m"}, {"x^2", `\ln x`}} {
		if got := Judge(pair[0], pair[1]); got.Verdict != Different || got.Unreadable {
			t.Errorf("%s against %s: %s (%s), unreadable %v", pair[0], pair[1], got.Verdict, got.Reason, got.Unreadable)
		}
	}
}
