package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestARunIsFoundByTheEndOfItsName(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"20261129-120000-quick-69b2", "20261129-120001-quick-aaaa", "20261129-120002-slow-aaaa"} {
		if err := os.Mkdir(filepath.Join(out, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"quick-69b2":                "20261129-120000-quick-69b2",
		"69b2":                      "20261129-120000-quick-69b2",
		"quick-aaaa":                "20261129-120001-quick-aaaa",
		"20261129-120002-slow-aaaa": "20261129-120002-slow-aaaa",
		"aaaa":                      "aaaa", // of two
		"9b2":                       "9b2",  // not a whole part
		"nothing":                   "nothing",
	} {
		if got := runFolder(name, out); got != filepath.Join(out, want) {
			t.Errorf("%s is found at %s", name, got)
		}
	}
	dir := filepath.Join(out, "20261129-120000-quick-69b2")
	if got := runFolder(dir, out); got != dir {
		t.Errorf("a folder is found at %s", got)
	}
}
