package screentest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verge/tui/text"
)

var update = flag.Bool("update", false, "write the golden drawings instead of comparing with them")

// golden is the folder of drawings of the package that is tested: a test may go on in another folder.
var golden = func() string {
	dir, err := filepath.Abs(filepath.Join("testdata", "golden"))
	if err != nil {
		panic("screentest: the working directory is not known: " + err.Error())
	}
	return dir
}()

// chrome is the lines that the app keeps for its header and footer.
const chrome = 2

// Sizes are the terminals that screens are drawn for, width and height.
var Sizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}}

// Draw is the screen on top as the app shows it, checked to be exactly its box and to steer nothing.
func (a *App) Draw(width, height int) string {
	a.t.Helper()
	got := text.Box(a.screen.View(width, height), width, height)
	Fills(a.t, got, width, height)
	return got
}

// Golden holds the screen on top to its drawings in four terminals, testdata/golden/NAME-WIDTHxHEIGHT.txt. With the flag -update it writes
// them.
func (a *App) Golden(name string) {
	a.t.Helper()
	for _, s := range Sizes {
		Hold(a.t, fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), a.Draw(s[0], s[1]-chrome))
	}
}

// Hold holds a drawing to testdata/golden/NAME.txt, or with the flag -update writes that.
func Hold(t testing.TB, name, drawing string) {
	t.Helper()
	got := drawing + "\n"
	path := filepath.Join(golden, name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; it was\n%s\nand is\n%s", path, want, got)
	}
}

// AnySize draws the screen on top in boxes down to a single cell.
func (a *App) AnySize() {
	a.t.Helper()
	for _, width := range []int{1, 2, 7, 20, 33, 60, 80, 120, 160, 200} {
		for _, height := range []int{1, 2, 3, 5, 9, 17, 21, 37, 57} {
			a.Draw(width, height)
		}
	}
}

// Fills fails unless a drawing is height lines of width cells that hold nothing which a terminal would obey. The theme of tests writes no
// escape sequences: it draws for no terminal.
func Fills(t testing.TB, drawing string, width, height int) {
	t.Helper()
	lines := strings.Split(drawing, "\n")
	if len(lines) != height {
		t.Fatalf("%d × %d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		if got := text.Width(line); got != width {
			t.Fatalf("%d × %d: line %d is %d cells wide: %.200q", width, height, i, got, line)
		}
		if line != text.Safe(line) {
			t.Fatalf("%d × %d: line %d holds control characters: %.200q", width, height, i, line)
		}
	}
}
