package probes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"verge/internal/disk"
)

// file is a stored probe. Its name is the sha256 of its bytes, which encoding/json makes of equal probes equally; numbers are written as the
// shortest text that reads back as the same float64.
type file struct {
	Format    int    `json:"format"`
	Reference string `json:"reference"` // digest of the model that the probe reads; "" of a probe that reads none
	Probe     sealed `json:"probe"`
}

// fileFormat changes when a stored probe of before would be misread.
const fileFormat = 1

// sealed is a probe with its kind before it, so that it can be opened.
type sealed struct {
	Kind    Kind            `json:"kind"`
	Combine Combination     `json:"combine,omitempty"` // of an ensemble
	Members []sealed        `json:"members,omitempty"` // likewise
	Probe   json.RawMessage `json:"probe,omitempty"`   // of the others
}

// Save writes a probe to a directory, which has to exist, and returns its digest, by which Load finds it. reference is the digest of the
// model that it reads, and empty for a probe that reads none.
func Save(dir string, p Probe, reference string) (digest string, err error) {
	d := p.Describe()
	if d.Reads() != (reference != "") {
		return "", fmt.Errorf("probes: save a probe of kind %q with reference %q: give the digest of the model it reads, and none if it reads no activations and no embeddings", d.Kind, reference)
	}
	content, err := seal(p)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(file{fileFormat, reference, content})
	if err != nil {
		return "", fmt.Errorf("probes: save a probe of kind %q: %w", d.Kind, err)
	}
	sum := sha256.Sum256(text)
	digest = hex.EncodeToString(sum[:])
	if err := disk.WriteFile(filepath.Join(dir, digest+".json"), text); err != nil {
		return "", fmt.Errorf("probes: save a probe: %w", err)
	}
	return digest, nil
}

// Load reads the probe of a digest from a directory. It refuses a file whose content is not that of the digest, and a probe of another
// reference model: its logits would be arbitrary.
func Load(dir, digest, reference string) (Probe, error) {
	name := filepath.Join(dir, digest+".json")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("probes: there is no probe %s in %s: train it again, or name the directory it was saved in: %w", digest, dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("probes: load a probe: %w", err)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != digest {
		return nil, fmt.Errorf("probes: %s was altered: its sha256 is %x; train the probe again", name, sum)
	}
	var f file
	if err := strictly(text, &f); err != nil {
		return nil, fmt.Errorf("probes: %s: %w", name, err)
	}
	if f.Format != fileFormat {
		return nil, fmt.Errorf("probes: %s has format %d, this version reads %d: train the probe again", name, f.Format, fileFormat)
	}
	if f.Reference != reference {
		return nil, fmt.Errorf("probes: %s reads the model of digest %q, not %q: bind that model as the reference, or train another probe", name, f.Reference, reference)
	}
	p, err := f.Probe.open()
	if err != nil {
		return nil, fmt.Errorf("probes: %s: %w", name, err)
	}
	return p, nil
}

func seal(p Probe) (sealed, error) {
	s := sealed{Kind: p.Describe().Kind}
	if e, ok := p.(*Ensemble); ok {
		s.Combine = e.Combine
		for k, m := range e.Members {
			member, err := seal(m)
			if err != nil {
				return sealed{}, memberError(k, err)
			}
			s.Members = append(s.Members, member)
		}
		return s, nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return sealed{}, fmt.Errorf("probes: save a probe of kind %q: %w", s.Kind, err)
	}
	s.Probe = text
	return s, nil
}

func (s sealed) open() (Probe, error) {
	var p Probe
	switch s.Kind {
	case KindLinear:
		p = new(Linear)
	case KindMLP:
		p = new(MLP)
	case KindAttention:
		p = new(Attention)
	case KindText:
		p = new(Text)
	case KindEnsemble:
		members := make([]Probe, len(s.Members))
		for k, m := range s.Members {
			var err error
			if members[k], err = m.open(); err != nil {
				return nil, memberError(k, err)
			}
		}
		return NewEnsemble(s.Combine, members...)
	default:
		return nil, fmt.Errorf("unknown kind %q of a stored probe", s.Kind)
	}
	if err := strictly(s.Probe, p); err != nil {
		return nil, err
	}
	if t, ok := p.(*Text); ok && (len(t.IDF) != len(t.Terms) || len(t.Weights) != len(t.Terms)) {
		return nil, fmt.Errorf("a text probe of %d terms has %d IDFs and %d weights: want as many of each", len(t.Terms), len(t.IDF), len(t.Weights))
	}
	return p, nil // the others compare their size with the model's when they score
}

// strictly refuses what it does not know, which another version may have meant.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
