package grade

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// hard is more time than any judgement takes on a slow machine.
const hard = 5 * time.Second

// judged judges a pair and fails where that takes too long, or says what no judgement may say.
func judged(t *testing.T, gold, prediction string) Result {
	t.Helper()
	start := time.Now()
	got := Judge(gold, prediction)
	if took := time.Since(start); took > hard {
		t.Errorf("%.80q against %.80q took %v", gold, prediction, took)
	}
	switch got.Verdict {
	case Equal, Undecided:
		if got.Unreadable {
			t.Errorf("%.80q against %.80q: unreadable, and yet %s", gold, prediction, got.Verdict)
		}
	case Different:
	default:
		t.Errorf("%.80q against %.80q: no verdict: %q", gold, prediction, got.Verdict)
	}
	return got
}

func TestEverythingAnswersAtOnce(t *testing.T) {
	repeat := strings.Repeat
	for _, text := range []string{
		"5^(5^(5^5))", "9^9^9^9", "10^{10^{10}}!", "(9!)!", "((9!)!)!", "2^{-9^9^9}", "10^{10^{10^{10}}}-10^{10^{10^{10}}}",
		repeat("(", 2048), repeat("(", 1024) + repeat(")", 1024), repeat("{", 2048), repeat(`\{`, 1000), repeat("[", 2000), repeat("|", 2047), repeat("-", 2040) + "5",
		repeat(`\frac{1}{1+`, 150) + "1" + repeat("}", 150), repeat(`\sqrt{2+`, 120) + "2" + repeat("}", 120), repeat(`\sqrt{2+`, 50) + "2" + repeat("}", 50),
		repeat("x^", 1000) + "x", repeat("9^", 1000) + "9", "5" + repeat("!", 2000), repeat(`\sin `, 400) + "1", repeat(`\sin(`, 50) + "1" + repeat(")", 50),
		"(x+y+z+w+1)^{50}", "(a+b+c+d+f+g)^{1000}", repeat("(x+1)", 400), repeat("(1+x^2+y)", 200), "(x+1)^{60000}", repeat("x/", 1000) + "x",
		repeat(`\sqrt{2}+`, 200) + "1", `\sqrt{2}+\sqrt{3}+\sqrt{5}+\sqrt{7}+\sqrt{11}+\sqrt{13}+\sqrt{17}+\sqrt{19}+\sqrt{23}`,
		repeat("1,", 1000) + "1", repeat("9", 2048), "0." + repeat("3", 2000), "1e4000", "1e-4000", "1e99999", repeat("9", 1000) + "^{" + repeat("9", 1000) + "}",
		repeat(`e^{\pi\sqrt{163}}+`, 90) + "1", repeat(`\ln(2+`, 50) + "1" + repeat(")", 50), repeat(`\arctan(`, 50) + "2" + repeat(")", 50),
		`\binom{10000}{5000}`, `\binom{10^9}{5\cdot10^8}`, `\binom{n}{60}`, "(10^6)!", "65536!", "65537!", repeat(`\text{`, 400), repeat(`\boxed{`, 300), repeat(`1\pm`, 500) + "1",
		repeat("x<", 1000) + "x", repeat(`(1,2)\cup`, 200) + "(1,2)", repeat("a=", 1000) + "a", repeat(`\begin{pmatrix}`, 100), "\\", "$", "\x00", "\xff\xfe", "^", "_", "x_", "\\frac", "\\sqrt[",
	} {
		judged(t, text, text)
		judged(t, text, text+"+0")
		judged(t, "("+text+")", text)
		judged(t, text, "5")
		judged(t, "5", text)
		judged(t, "x", text)
	}
}

// pieces are what random answers are made of.
var pieces = strings.Fields(`1 2 3 10 0.5 1.414 12,345 x y n a C i e \pi \infty + - * / ^ _ ! ( ) [ ] \{ \} { } | , ; : . = < > \le \ge \ne \pm \mp \cup \cap \in \setminus % \% $ \$ ^\circ ' " \frac \sqrt
	\frac12 \frac{1}{2} \sqrt{2} \sqrt[3]{x} \binom52 \sin \cos \ln \log_2 \exp \text{cm} \text{(C)} \text{and} or and East percent \begin{pmatrix} \end{pmatrix} & \\ \boxed{ \mathbb{R} \emptyset \ldots \left( \right) 2e5 9^9^9 50! \lfloor \rfloor
	e^{x} x^2 \mathrm{e} 7:32 52_8 \overline{3} \angle \alpha π √ ² ½ − cm m th degrees base`)

func TestRandomAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	text := func() string {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	for range 4000 {
		a, b := text(), text()
		if got := judged(t, a, a); got.Verdict == Different {
			if _, err := open(a); err == nil {
				t.Errorf("%q against itself: %s", a, got.Reason)
			}
		}
		judged(t, a, b)
	}
}

// TestSymmetry exchanges gold and prediction. Where neither has a unit, a percent sign or a decimal, an equal pair stays equal.
func TestSymmetry(t *testing.T) {
	for file, rows := range tables(t) {
		for _, row := range rows {
			if row.Want == Equal && !strings.ContainsAny(row.Gold+row.Prediction, `%$.°`) && !strings.Contains(row.Gold+row.Prediction, "text") &&
				!strings.Contains(row.Gold+row.Prediction, "circ") && Judge(row.Prediction, row.Gold).Verdict == Different {
				t.Errorf("%s:%d: %s equals %s, but not the other way round", file, row.Line, row.Gold, row.Prediction)
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, rows := range tables(f) {
		for _, row := range rows {
			f.Add(row.Gold, row.Prediction)
		}
	}
	f.Fuzz(func(t *testing.T, gold, prediction string) {
		judged(t, gold, prediction)
		if got := judged(t, gold, gold); got.Verdict == Different {
			t.Errorf("%q against itself: %s", gold, got.Reason)
		}
	})
}
