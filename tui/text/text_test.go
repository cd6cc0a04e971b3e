package text_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"verge/tui/fixture"
	"verge/tui/text"
)

func seeds(f *testing.F) {
	for _, s := range fixture.HostileTexts() {
		f.Add(s, 10)
		f.Add(s, 1)
	}
	f.Add("plain words of a sentence", 7)
	f.Add("漢字", 1)
	f.Add("  indented\n\n\ttabbed", 12)
	f.Add("a-b-c\u00a0d", 3)
	f.Add("क्षत्रिय தமிழ் ไทย नमस्ते", 5)
	f.Add("❤️ 1️⃣ 🇩🇪🇫🇷 👍🏽", 4)
	f.Add("\x1b]0;unfinished", 5)
	f.Add("\x9b31mred \xff\xfe", 5)
}

// A terminal draws a safe line as it is and obeys nothing in it.
func FuzzSafe(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string, _ int) {
		safe := text.Safe(s)
		for _, r := range safe {
			if !unicode.IsGraphic(r) {
				t.Fatalf("Safe(%q) = %q holds %U", s, safe, r)
			}
		}
		if text.Safe(safe) != safe {
			t.Errorf("Safe(%q) = %q is not safe: %q", s, safe, text.Safe(safe))
		}
	})
}

func TestSafe(t *testing.T) {
	for s, want := range map[string]string{
		"plain ~":            "plain ~",
		"\x1b[31mred\x1b[0m": "red",
		"\x1b]52;c;aGFja2Vk\aafter\x1bP+q544e\x1b\\!": "after!",
		"one\r\ntwo\tthree":                           "one⏎two three",
		"bell\a null\x00":                             "bell� null�",
		"\u202eoverride\u202c":                        "�override�",
		"\xff\xfe":                                    "�",
		"e\u0301":                                     "e\u0301",
		"\u0301e":                                     "◌\u0301e",
		"a\u0300\u0300\u0300\u0300":                   "a\u0300\u0300\u0300\u0300",
		"a" + strings.Repeat("\u0300", 300) + "b":     "a\u0300\u0300\u0300\u0300�b",
		"❤\ufe0f 👍🏽 👩\u200d👧 🇩🇪":                      "❤ 👍� 👩�👧 ��",
		"漢字 क्षத ไทย":                                 "漢字 क्षத ไทย",
		"private \ue0b0":                              "private �",
	} {
		if got := text.Safe(s); got != want {
			t.Errorf("Safe(%q) = %q, want %q", s, got, want)
		}
	}
}

// Two ways to count cells, by character and by what is drawn as one, agree on a safe line of letters, pictures and their marks, so that it
// takes the same cells in any terminal. They do not agree on scripts with vowel signs of their own width.
func TestTerminalsAgreeOnTheCellsOfASafeLine(t *testing.T) {
	for _, s := range fixture.HostileTexts() {
		safe := text.Safe(s)
		if g, w := ansi.StringWidth(safe), ansi.StringWidthWc(safe); g != w {
			t.Errorf("%q takes %d cells or %d", safe, g, w)
		}
	}
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		for _, base := range []string{"a", "👍"} {
			safe := text.Safe(base + string(r))
			if g, w := ansi.StringWidth(safe), ansi.StringWidthWc(safe); g != w && !unicode.Is(unicode.Mc, r) && !strings.ContainsRune("\u0e33\u0eb3\uff9e\uff9f", r) {
				t.Errorf("%q takes %d cells or %d", safe, g, w)
			}
		}
	}
}

func FuzzFit(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string, width int) { checkFit(t, s, width%300) })
}

func checkFit(t *testing.T, s string, width int) {
	t.Helper()
	safe := text.Safe(s)
	for name, fit := range map[string]func(string, int) string{"Fit": text.Fit, "Right": text.Right} {
		if got := fit(safe, width); text.Width(got) != max(0, width) {
			t.Errorf("%s(%q, %d) = %q takes %d cells", name, safe, width, got, text.Width(got))
		}
	}
	for name, cut := range map[string]func(string, int) string{"Cut": text.Cut, "Tail": text.Tail} {
		got := cut(safe, width)
		if text.Width(got) > max(0, width) {
			t.Errorf("%s(%q, %d) = %q takes %d cells", name, safe, width, got, text.Width(got))
		}
		if text.Width(safe) <= width && got != safe {
			t.Errorf("%s(%q, %d) = %q, though nothing is too long", name, safe, width, got)
		}
		if rest := strings.Replace(got, text.Ellipsis, "", 1); text.Width(safe) > width && !strings.Contains(safe, rest) {
			t.Errorf("%s(%q, %d) = %q is no part of it", name, safe, width, got)
		}
	}
}

func FuzzWrap(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string, width int) { checkWrap(t, s, width%300) })
}

func checkWrap(t *testing.T, s string, width int) {
	t.Helper()
	lines := text.Wrap(s, width)
	for _, line := range lines {
		if text.Width(line) > width || line != text.Safe(line) {
			t.Errorf("Wrap(%q, %d) has the line %q, %d cells", s, width, line, text.Width(line))
		}
	}
	if width < 2 {
		return // where a wide character has no room
	}
	var want strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		want.WriteString(text.Safe(line))
	}
	if got, want := letters(strings.Join(lines, "")), letters(want.String()); got != want {
		t.Errorf("Wrap(%q, %d) has %q left of %q", s, width, got, want)
	}
}

// letters is a text without its spaces.
func letters(s string) string {
	return strings.ReplaceAll(s, " ", "")
}

func FuzzBox(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width %= 300
		height := len(s) % 9
		box := text.Box(text.Wrap(s, width+5), width, height)
		if height == 0 {
			if box != "" {
				t.Errorf("a box of no height is %q", box)
			}
			return
		}
		lines := strings.Split(box, "\n")
		if len(lines) != height {
			t.Errorf("%d lines of %d", len(lines), height)
		}
		for _, line := range lines {
			if text.Width(line) != max(0, width) {
				t.Errorf("line %q takes %d cells of %d", line, text.Width(line), width)
			}
		}
	})
}

// Short texts of the characters that wraps and cuts stumble over, many of them.
func TestWrapAndCutOfManyShortTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	alphabet := []string{"a", "b", " ", "  ", "-", "漢", "e\u0301", "\u0300", "क्ष", "👍🏽", "\n", "\t", "\u00a0", "\x1b[1m", "\u3000"}
	for range 20_000 {
		var s string
		for range random.IntN(14) {
			s += alphabet[random.IntN(len(alphabet))]
		}
		width := 1 + random.IntN(9)
		checkWrap(t, s, width)
		checkFit(t, s, width)
		if t.Failed() {
			return
		}
	}
}

func BenchmarkWrap(b *testing.B) {
	words, letters := strings.Repeat("some words of a reply, ", 450), strings.Repeat("x", 10_000)
	for name, s := range map[string]string{"words": words, "a long word": letters, "wide": strings.Repeat("漢", 5000)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				text.Wrap(s, 78)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		s     string
		width int
		want  []string
	}{
		{"some words of it", 8, []string{"some", "words of", "it"}},
		{"some words", 10, []string{"some words"}},
		{"  indented text", 10, []string{"  indented", "text"}},
		{"a longword", 6, []string{"a", "longwo", "rd"}},
		{"from 60 to 90 %", 13, []string{"from 60 to", "90 %"}},
		{"from 60 to 90 %", 14, []string{"from 60 to", "90 %"}},
		{"100 %", 3, []string{"100", "%"}},
		{"two  spaces", 5, []string{"two", "space", "s"}},
		{"one\n\ntwo", 5, []string{"one", "", "two"}},
		{"漢字漢字漢", 5, []string{"漢字", "漢字", "漢"}},
		{"ae\u0301ae\u0301", 2, []string{"ae\u0301", "ae\u0301"}},
		{"a-b-c-d", 3, []string{"a-b", "-c-", "d"}},
		{"漢", 1, []string{"…"}},
		{"", 5, []string{""}},
		{"text", 0, nil},
	} {
		if got := text.Wrap(test.s, test.width); !slices.Equal(got, test.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", test.s, test.width, got, test.want)
		}
	}
}

func TestCutKeepsStylesWhole(t *testing.T) {
	styled := "\x1b[31mred\x1b[0m and \x1b[32mgreen\x1b[0m"
	if got, want := text.Cut(styled, 6), "\x1b[31mred\x1b[0m a…\x1b[32m\x1b[0m"; got != want {
		t.Errorf("Cut(%q, 6) = %q, want %q", styled, got, want)
	}
	if got := text.Cut("क्षत्रिय", 5); text.Width(got) > 5 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q takes %d cells", got, text.Width(got))
	}
}

func TestWholeLeavesOutWholeParts(t *testing.T) {
	parts := []string{"passed 90.0 %", "syntax 5.5 %", "malformed 4.5 %"}
	for width, want := range map[int]string{
		47: "passed 90.0 % · syntax 5.5 % · malformed 4.5 %", 46: "passed 90.0 % · syntax 5.5 % · malformed 4.5 %",
		45: "passed 90.0 % · syntax 5.5 % …", 30: "passed 90.0 % · syntax 5.5 % …", 29: "passed 90.0 % …", 14: "passed 90.0 %…", 5: "pass…", 0: "",
	} {
		if got := text.Whole(parts, " · ", width); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestTail(t *testing.T) {
	for _, test := range []struct {
		s     string
		width int
		want  string
	}{
		{"propel/train/3/17", 7, "…n/3/17"}, {"漢字漢字", 6, "…漢字"}, {"漢字漢字", 5, "…漢字"}, {"short", 5, "short"}, {"short", 1, "…"}, {"short", 0, ""},
	} {
		if got := text.Tail(test.s, test.width); got != test.want {
			t.Errorf("Tail(%q, %d) = %q, want %q", test.s, test.width, got, test.want)
		}
	}
}

func TestBesideJoinsLines(t *testing.T) {
	left, right := text.Box([]string{"ab"}, 2, 2), text.Box([]string{"c", "d"}, 1, 2)
	if got, want := text.Beside("|", left, right), "ab|c\n  |d"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := text.Beside("|"); got != "" {
		t.Errorf("nothing beside nothing is %q", got)
	}
}
