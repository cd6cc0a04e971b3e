package profiles

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var tomlBlock = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")

// A profile that the documents show is one that can be run.
func TestProfilesThatDocumentsShowAreAllowed(t *testing.T) {
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, path := range append(documents, "../README.md", "../ARCHITECTURE.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range tomlBlock.FindAllSubmatch(text, -1) {
			blocks++
			if _, err := Parse(path, string(block[1]), nil); err != nil {
				t.Errorf("%v, in\n%s", err, block[1])
			}
		}
	}
	if blocks < 2 {
		t.Errorf("%d profiles are shown", blocks)
	}
}

// So is an example that stands in the comments of a profile that ships.
func TestExamplesInCommentsAreAllowed(t *testing.T) {
	example := regexp.MustCompile(`(?m)^#     (oracles) = (\[.*)$`)
	for _, name := range []string{"reference", "propel-math-ollama"} {
		text, err := shipped.ReadFile(name + extension)
		if err != nil {
			t.Fatal(err)
		}
		shown := example.FindAllSubmatch(text, -1)
		if len(shown) == 0 {
			t.Errorf("%s shows no oracles", name)
		}
		for _, e := range shown {
			if _, err := Load(name, []string{"roles." + string(e[1]) + "=" + string(e[2])}); err != nil {
				t.Error(err)
			}
		}
	}
}
