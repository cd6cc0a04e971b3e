package grade

import (
	"math"
	"testing"
)

func parsed(t *testing.T, text string) *expr {
	t.Helper()
	tokens, err := tokenize(text)
	if err != nil {
		t.Fatal(err)
	}
	e, err := parseExpr(tokens)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

// TestNormalForms checks identities that normal forms have to prove alone, without any value.
func TestNormalForms(t *testing.T) {
	for _, pair := range [][2]string{
		{`\sqrt{8}`, `2\sqrt{2}`}, {`\frac{1}{\sqrt2+\sqrt3}`, `\sqrt3-\sqrt2`}, {`(1+i)^4`, `-4`}, {`\sqrt[3]{\frac{1}{4}}`, `\frac{\sqrt[3]{2}}{2}`},
		{`\sin 60^\circ`, `\frac{\sqrt3}{2}`}, {`\cos 210^\circ`, `-\frac{\sqrt3}{2}`}, {`\sin(-\frac{\pi}{6})`, `-\frac12`}, {`\tan 135^\circ`, `-1`},
		{`\ln 12`, `2\ln 2+\ln 3`}, {`\log_9 27`, `3/2`}, {`\ln\frac{1}{e^2}`, `-2`}, {`2006!/2004!`, `2006\cdot2005`}, {`\frac{1}{5000!}`, `\frac{5001}{5001!}`},
		{`(x+y)^3-(x-y)^3`, `6x^2y+2y^3`}, {`\binom{n}{3}`, `\frac{n^3-3n^2+2n}{6}`}, {`(\pi+e)(\pi-e)`, `\pi^2-e^2`}, {`9^{9^9}`, `9^{9^{9}}`},
	} {
		c := newComparer()
		a, errA := c.normalOf(parsed(t, pair[0]))
		b, errB := c.normalOf(parsed(t, pair[1]))
		if errA != nil || errB != nil {
			t.Errorf("%s, %s: %v, %v", pair[0], pair[1], errA, errB)
			continue
		}
		if d, err := c.ring.difference(a, b); err != nil || len(d) != 0 {
			t.Errorf("%s - %s is %s, %v; want 0", pair[0], pair[1], c.ring.spell(d), err)
		}
	}
}

// TestSeparationBound checks the bound against numbers that are small but not zero.
func TestSeparationBound(t *testing.T) {
	for _, text := range []string{`\sqrt{10^{20}+1}-10^{10}`, `\sqrt2+\sqrt3-\sqrt{5+2\sqrt6}+\frac{1}{10^9}`, `\sqrt{3}-\frac{18817}{10864}`, `\sqrt[3]{2}-1.2599210499`} {
		e := parsed(t, text)
		bits, ok := separationBits(e)
		if !ok {
			t.Errorf("%s has no bound", text)
			continue
		}
		c := newComparer()
		v := c.estimate(e, 1024)
		if size := float64(v.re.MantExp(nil)); v.err != nil || -size > bits {
			t.Errorf("%s is of the size 2^%v, below its bound 2^-%v (%v)", text, size, bits, v.err)
		}
	}
	if _, ok := separationBits(parsed(t, `\sqrt{2}+\pi`)); ok {
		t.Error("a transcendental number has a separation bound for algebraic ones")
	}
}

func TestMagnitudes(t *testing.T) {
	for text, want := range map[string]float64{"2^{10}": 10, `\frac{1}{2^{99}}`: -99, "9^{9^9}": 387420489 * math.Log2(9), `\sqrt{2^{100}}`: 50, "3+5": 3} {
		s, ok := magnitudeOf(parsed(t, text))
		if !ok || s.low > want || s.high < want || s.high-s.low > 1+math.Abs(want)*1e-6 {
			t.Errorf("the magnitude of %s is %v, %v; want about %v", text, s, ok, want)
		}
	}
}
