package main

import (
	"os"
	"strings"

	"golang.org/x/term"

	"verge/runner/report"
)

// style is that of tables on standard output.
func style() report.Style {
	return report.Style{Blocks: unicode(), Width: terminalWidth(os.Stdout)}
}

// unicode says whether the locale can show block characters.
func unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return isUTF8(v)
		}
	}
	return !term.IsTerminal(int(os.Stdout.Fd()))
}

func isUTF8(locale string) bool {
	l := strings.ToLower(locale)
	return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
}

// terminalWidth is how many columns a terminal has, 0 of what is none.
func terminalWidth(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width == 0 { // some terminals do not know theirs
		return 80
	}
	return width
}
