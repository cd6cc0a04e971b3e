package pretrain

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"verge/domains"
	"verge/internal/disk"
	"verge/runner/engine"
)

// ErrCheckpoint is a checkpoint that a training cannot go on from.
var ErrCheckpoint = errors.New("the checkpoint cannot be used")

// checkpoint is the file that an interrupted training goes on from: two marks that say which training it is of, the trainer's state, and
// the sha256 of all that.
type checkpoint struct {
	path     string
	settings [sha256.Size]byte
	text     [sha256.Size]byte
}

// newCheckpoint marks a training: by its options but where and how often it is written, and by the first batch of its text. The corpora's
// text follows from the seed, so that another version of a domain is known by other text.
func newCheckpoint(o Options, tok *engine.Tokenizer, corpora []domains.Corpus) (checkpoint, error) {
	batch, err := draw(tok, corpora, o, 0)
	if err != nil {
		return checkpoint{}, err
	}
	text := sha256.New()
	for _, s := range batch {
		fmt.Fprintln(text, s.From, s.Tokens)
	}
	c := checkpoint{path: o.Out + ".checkpoint", text: [sha256.Size]byte(text.Sum(nil))}
	shape := o.Shape(vocabularyStep)
	o.Out, o.Every, o.Shape = "", 0, nil
	c.settings = sha256.Sum256(fmt.Appendf(nil, "%+v %+v", o, shape))
	return c, nil
}

func (c checkpoint) save(t *engine.Trainer) error {
	var buf bytes.Buffer
	buf.Write(c.settings[:])
	buf.Write(c.text[:])
	if err := t.Save(&buf); err != nil {
		return err
	}
	sum := sha256.Sum256(buf.Bytes())
	buf.Write(sum[:])
	return disk.WriteFile(c.path, buf.Bytes())
}

// load takes the trainer to where the file stands, if there is one.
func (c checkpoint) load(t *engine.Trainer) error {
	data, err := disk.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	refuse := func(problem string) error { return fmt.Errorf("%s: %w: %s", c.path, ErrCheckpoint, problem) }
	const marks = 2 * sha256.Size
	body := len(data) - sha256.Size
	if body < marks || sha256.Sum256(data[:body]) != [sha256.Size]byte(data[body:]) {
		return refuse("it is damaged; delete it to start over")
	}
	if !bytes.Equal(c.settings[:], data[:sha256.Size]) {
		return refuse("it belongs to a training with other settings; finish that one, or delete it to start over")
	}
	if !bytes.Equal(c.text[:], data[sha256.Size:marks]) {
		return refuse("it belongs to a training on other text, as another version of verge makes it; finish it with that version, or delete it to start over")
	}
	if err := t.Load(bytes.NewReader(data[marks:body])); err != nil {
		return refuse(err.Error())
	}
	return nil
}

func (c checkpoint) remove() error {
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
