package diversity

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestTokens(t *testing.T) {
	for statement, want := range map[string]string{
		"":                "",
		" \t\n":           "",
		"12+34":           "12 + 34",
		" 12 + 34 ":       "12 + 34",
		"12*(x+3)":        "12 * ( x + 3 )",
		"3.5":             "3 . 5",
		"2x2":             "2 x 2",
		"--7":             "- - 7",
		"a**b<=c":         "a * * b < = c",
		"Sum of xs_1?":    "Sum of xs_ 1 ?",
		"été, 40 €":       "été , 40 €",
		"e\u0301te\u0301": "e\u0301te\u0301",
		"12 34":           "12 34",
	} {
		if got := strings.Join(Tokens(statement), " "); got != want {
			t.Errorf("Tokens(%q) = %q, want %q", statement, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("12*(x+3) = ?")
	f.Add("\xff \u2003e\u0301")
	f.Fuzz(func(t *testing.T, statement string) {
		tokens := Tokens(statement)
		if slices.Contains(tokens, "") || strings.ContainsFunc(strings.Join(tokens, ""), unicode.IsSpace) {
			t.Errorf("Tokens(%q) = %q has an empty token or a space", statement, tokens)
		}
		visible := strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(statement, "\ufffd", ""), "")), "")
		if got := strings.ReplaceAll(strings.Join(tokens, ""), "\ufffd", ""); got != visible {
			t.Errorf("Tokens(%q) spell %q, want %q", statement, got, visible)
		}
	})
}
