package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Base is a file to make a model of: weights, or an adapter to put on them.
type Base struct {
	Name   string // as messages call it
	Digest string // sha256 of its GGUF file, hexadecimal
	tag    string // where it is a model of the server
	open   func() (io.ReadCloser, error)
}

// FileBase is a base in a GGUF file, which is read whole for its digest.
func FileBase(path string) (Base, error) {
	f, err := os.Open(path)
	if err != nil {
		return Base{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Base{}, err
	}
	return Base{Name: path, Digest: hex.EncodeToString(h.Sum(nil)), open: func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

// BytesBase is a base whose GGUF file is in memory.
func BytesBase(name string, file []byte) Base {
	sum := sha256.Sum256(file)
	return Base{Name: name, Digest: hex.EncodeToString(sum[:]),
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}
}

// TagBase is a base that is a model of the server already; what is made from it keeps its template and parameters. A tag that is not
// there is an error: a server asked to make a model from it would download it. So is one with an adapter, since a server applies one.
func (s *Server) TagBase(ctx context.Context, tag string) (Base, error) {
	if err := checkTag(tag); err != nil {
		return Base{}, err
	}
	c, found, err := s.contents(ctx, tag)
	switch {
	case err != nil:
		return Base{}, err
	case !found:
		return Base{}, fmt.Errorf("%w: %s has no model %s; get it with: ollama pull %s", ErrTag, s.url, tag, tag)
	case c.model == "":
		return Base{}, fmt.Errorf("%w: model %s of %s has no weights file of its own, so that no adapter fits it", ErrTag, tag, s.url)
	case len(c.adapters) > 0:
		return Base{}, fmt.Errorf("%w: model %s of %s has an adapter already, and a server applies one; name the model it was made from", ErrTag, tag, s.url)
	}
	return Base{Name: tag, Digest: c.model, tag: tag}, nil
}
