// Package pretrain trains a small model from scratch on text that domains make: it is how micro.gguf came about.
package pretrain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"verge/domains"
	"verge/internal/disk"
	"verge/runner/backend/local"
	"verge/runner/engine"
)

// Options say what is trained, and fix the result to the byte.
type Options struct {
	Name    string // general.name of the file
	Version string // general.version
	Shape   func(vocab int) engine.Config
	Seed    uint64
	Steps   int
	Batch   int     // texts a step
	Rate    float64 // peak learning rate
	Warmup  int     // steps
	Floor   float64 // share of the rate at the last step
	Decay   float64 // weight decay
	Out     string  // path of the GGUF file
	Every   int     // steps between checkpoints
}

// Default is what the embedded model was trained with.
func Default() Options {
	return Options{Name: "micro", Version: "1", Shape: engine.MicroConfig, Seed: 1, Steps: 2400, Batch: 128, Rate: 4e-3, Warmup: 100, Floor: 0.1, Decay: 0.01, Out: "micro.gguf", Every: 200}
}

// Variant is what the second family was trained with: another shape and another seed, the same text.
func Variant() Options {
	o := Default()
	o.Name, o.Shape, o.Seed, o.Out = "micro-b", engine.SecondConfig, 2, "micro-b.gguf"
	return o
}

// Check names the first option that cannot be.
func (o Options) Check() error {
	switch {
	case o.Steps < 1:
		return fmt.Errorf("--steps %d: it has to be at least 1", o.Steps)
	case o.Batch < 1 || o.Batch > 65536:
		return fmt.Errorf("--batch %d: it has to be 1 to 65536", o.Batch)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return fmt.Errorf("--rate %g: it has to be positive and finite", o.Rate)
	case o.Every < 0:
		return fmt.Errorf("--checkpoint %d: it has to be 0 or more", o.Every)
	case o.Out == "":
		return errors.New("--out is empty; name a file to write")
	}
	return nil
}

// Progress is told of every step.
type Progress struct {
	Step, Steps int
	Loss        float64 // nats a token, mean over a text's learned tokens and then over texts
	Tokens      int64   // read so far in this process
	Elapsed     time.Duration
	Resumed     int // steps done before this process
}

// vocabularyStep is what the vocabulary's size is a multiple of, so that the head's columns fill whole vectors.
const vocabularyStep = 32

// Model is an untrained model of the options' shape with a vocabulary for the corpora.
func Model(o Options, corpora []domains.Corpus) (*engine.Model, error) {
	var controls []string
	seen := map[string]bool{}
	for _, c := range corpora {
		for _, name := range c.Controls() {
			if !seen[name] {
				seen[name] = true
				controls = append(controls, name)
			}
		}
	}
	tok := engine.NewByteTokenizer(controls, vocabularyStep)
	m, err := engine.NewModel(o.Shape(tok.Size()), tok)
	if err != nil {
		return nil, err
	}
	m.Name, m.Version = o.Name, o.Version
	m.Init(o.Seed)
	return m, nil
}

// Run trains a model on texts drawn evenly from the corpora and writes it to o.Out. A checkpoint beside that file is taken up if it
// belongs to the same options and the same corpora, is refused with ErrCheckpoint if it does not, and is removed at the end; after an
// interruption the same call goes on.
func Run(ctx context.Context, o Options, corpora []domains.Corpus, report func(Progress)) (*engine.Model, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := writable(o.Out); err != nil {
		return nil, err
	}
	m, err := Model(o, corpora)
	if err != nil {
		return nil, err
	}
	adam := engine.DefaultAdamW()
	adam.WeightDecay = o.Decay
	t, err := engine.NewTrainer(m, nil, adam)
	if err != nil {
		return nil, err
	}
	state, err := newCheckpoint(o, m.Tokenizer, corpora)
	if err != nil {
		return nil, err
	}
	if err := state.load(t); err != nil {
		return nil, err
	}
	schedule := engine.Schedule{Rate: o.Rate, Warmup: o.Warmup, Total: o.Steps, Floor: o.Floor}
	p := Progress{Steps: o.Steps, Resumed: t.Steps()}
	start := time.Now()
	for t.Steps() < o.Steps {
		if err := ctx.Err(); err != nil {
			if saveErr := state.save(t); saveErr != nil {
				return nil, saveErr
			}
			return nil, err
		}
		batch, err := draw(m.Tokenizer, corpora, o, t.Steps())
		if err != nil {
			return nil, err
		}
		s, err := t.Step(batch, schedule.At(t.Steps()+1))
		if err != nil {
			return nil, err
		}
		p.Step, p.Loss, p.Tokens, p.Elapsed = t.Steps(), s.Loss, p.Tokens+int64(s.Read), time.Since(start)
		report(p)
		if o.Every > 0 && t.Steps()%o.Every == 0 && t.Steps() < o.Steps {
			if err := state.save(t); err != nil {
				return nil, err
			}
		}
	}
	if err := m.WriteFile(o.Out, true); err != nil {
		return nil, err
	}
	return m, state.remove()
}

// ErrNotWritable is a file that could not be written at the end of the training, found at its start.
var ErrNotWritable = errors.New("the file cannot be written")

func writable(path string) error {
	if err := disk.Regular(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--out %s: %w: %w; name a file", path, ErrNotWritable, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("--out %s: %w: %w", path, ErrNotWritable, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// draw makes a step's batch. Its texts depend on seed and step alone, so that a resumed training reads what it would have read.
func draw(tok *engine.Tokenizer, corpora []domains.Corpus, o Options, step int) ([]engine.Sequence, error) {
	r := rand.New(rand.NewPCG(o.Seed, uint64(step)))
	batch := make([]engine.Sequence, o.Batch)
	for i := range batch {
		e := corpora[(step*o.Batch+i)%len(corpora)].Example(r)
		tokens, err := local.Encode(tok, e.Prompt)
		if err != nil {
			return nil, err
		}
		from := len(tokens)
		tokens = append(tok.Append(tokens, e.Completion), tok.End())
		// Every text counts the same, so that short answers are not drowned by long proposals and worked solutions.
		w := make([]float32, len(tokens)-from)
		for j := range w {
			w[j] = 1 / float32(o.Batch*len(w))
		}
		batch[i] = engine.Sequence{Tokens: tokens, From: from, Weight: w}
	}
	return batch, nil
}
