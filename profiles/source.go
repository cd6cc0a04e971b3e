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
	"verge/internal/typo"
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
		return s, "no such profile", instead(ref, dir)
	}
	return source{place: ref + extension, text: string(text), id: "embedded:" + ref}, "", ""
}

// instead says what to write for a name that no profile that ships has: the nearest, or a file, which is given by its path.
func instead(ref, dir string) string {
	ship := "profiles that ship: " + strings.Join(shippedNames(), ", ")
	for _, path := range []string{"./" + ref, ref + extension} {
		if disk.Regular(filepath.Join(dir, path)) == nil {
			return fmt.Sprintf("for the file of that name write %s; %s", path, ship)
		}
	}
	if n := typo.Nearest(ref, shippedNames()); n != "" {
		return fmt.Sprintf("nearest is %s; %s", n, ship)
	}
	return fmt.Sprintf("%s; a file of your own is given by its path, such as mine%s or ./mine", ship, extension)
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
	case errors.Is(err, fs.ErrNotExist) && slices.Contains(shippedNames(), strings.TrimSuffix(ref, extension)):
		return s, "no such file", "the profile that ships is named without " + extension + ": " + strings.TrimSuffix(ref, extension)
	case errors.Is(err, fs.ErrNotExist):
		return s, "no such file", "check the path, or name a profile that ships: " + strings.Join(shippedNames(), ", ")
	case errors.As(err, &failed):
		return s, failed.Err.Error(), "name a file that can be read"
	case err != nil:
		return s, err.Error(), "name a file that can be read"
	case len(text) > largest:
		return s, fmt.Sprintf("larger than %d bytes", largest), "a profile is a TOML file of some lines"
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
