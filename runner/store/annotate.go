package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Annotation is what a person has said of a run. It is no part of what the run did.
type Annotation struct {
	Tags []string // each once
	Note string
}

// Annotation is the run's tags and note as of now.
func (r *Reader) Annotation() (Annotation, error) {
	info, err := r.Info()
	return Annotation{info.Tags, info.Note}, err
}

// Annotate replaces a run's tags and note, by its folder. A tag is one word. A run that is being written can be annotated meanwhile: its
// writer's transactions are short, and leave these rows alone. So does a run's layout, which is not changed: an earlier Verge that began the
// run can still go on with it.
func Annotate(dir string, tags []string, note string) error {
	a := Annotation{tags, note}
	if err := a.check(); err != nil {
		return err
	}
	return explain("annotate the run", dir, annotate(dir, a))
}

func annotate(dir string, a Annotation) error {
	path, err := database(dir)
	if err != nil {
		return err
	}
	db, err := openDB(path, writing, "busy_timeout(5000)")
	if err != nil {
		return err
	}
	err = update(db, func(tx *sql.Tx) error {
		if _, err := readMeta(tx); err != nil {
			return err
		}
		return a.write(tx)
	})
	return errors.Join(err, db.Close())
}

func (a Annotation) check() error {
	seen := map[string]bool{}
	for _, tag := range a.Tags {
		switch {
		case tag == "" || !utf8.ValidString(tag) || strings.ContainsFunc(tag, func(r rune) bool { return r == ',' || !unicode.IsPrint(r) || r == ' ' }):
			return fmt.Errorf("tag %q: a tag is one word of printable characters, without a comma", tag)
		case seen[tag]:
			return fmt.Errorf("tag %q is there twice; take one of them out", tag)
		}
		seen[tag] = true
	}
	if !utf8.ValidString(a.Note) {
		return fmt.Errorf("note %q: not UTF-8", a.Note)
	}
	return nil
}

func (a Annotation) write(tx *sql.Tx) error {
	if err := setList(tx, keyTags, a.Tags); err != nil {
		return err
	}
	return setMeta(tx, keyNote, a.Note)
}

// readAnnotation makes sense of a meta table, in which a run that was never annotated has no rows for it.
func readAnnotation(meta map[string]string) (a Annotation, err error) {
	a.Note = meta[keyNote]
	a.Tags, err = readList(meta, keyTags)
	return a, err
}
