package profiles

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"verge/internal/disk"
)

//go:embed *.toml
var shipped embed.FS

const extension = ".toml"

// largest file, in bytes, that is read as a profile: reference.toml is a tenth of it.
const largest = 64 << 10

// source is the text of a profile and where it comes from.
type source struct {
	place string // as errors name it
	text  string
	id    string // equal for one file reached by two names
	dir   string // that relative paths start from
}

// open finds the profile that ref names; a path is relative to dir. On failure it says what is wrong and how to mend it.
func open(ref, dir string) (s source, problem, fix string) {
	if isPath(ref) {
		return openFile(ref, dir)
	}
	text, err := shipped.ReadFile(ref + extension)
	if err != nil {
		return s, "no such profile", fmt.Sprintf("nearest is %s; profiles: %s; the name of a file ends in %s",
			nearest(ref, nameSet(shippedNames())), strings.Join(shippedNames(), ", "), extension)
	}
	return source{place: ref + extension, text: string(text), id: "embedded:" + ref}, "", ""
}

func isPath(ref string) bool {
	return strings.ContainsAny(ref, "/"+string(filepath.Separator)) || strings.HasSuffix(ref, extension)
}

func openFile(ref, dir string) (s source, problem, fix string) {
	path := ref
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	s = source{place: path, dir: filepath.Dir(path)}
	if dir == "" {
		s.place = ref // as the user wrote it, not cleaned
	}
	text, id, err := readFile(path)
	var failed *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, "no such file", "check the path, or name a profile: " + strings.Join(shippedNames(), ", ")
	case errors.As(err, &failed):
		return s, failed.Err.Error(), "name a file that can be read"
	case err != nil:
		return s, err.Error(), "name a file that can be read"
	case len(text) > largest:
		return s, fmt.Sprintf("larger than %d bytes", largest), "name a profile"
	}
	s.text, s.id = text, id
	return s, "", ""
}

// readFile reads at most one byte more than the largest profile.
func readFile(path string) (text, id string, err error) {
	f, err := disk.Open(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return "", "", err
	}
	if id, err = filepath.EvalSymlinks(path); err != nil {
		return "", "", err
	}
	if id, err = filepath.Abs(id); err != nil {
		return "", "", err
	}
	return string(b), id, nil
}

// shippedNames lists the embedded profiles, sorted.
func shippedNames() []string {
	files, err := shipped.ReadDir(".")
	if err != nil {
		panic("profiles: the embedded profiles cannot be listed: " + err.Error())
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), extension)
	}
	slices.Sort(names) // files are sorted by their names with the extension
	return names
}

func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
