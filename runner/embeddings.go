package runner

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"verge/runner/backend/ollama"
)

// embeddings keeps a run's embeddings in a file of its folder. A server need not give the same again, to the bit, and what a resumed run trains
// on them has to come out as it did.
//
// The file is records of a text's sha256, the length of its vector and the vector; one that was cut short ends it.
type embeddings struct {
	path  string
	known map[[sha256.Size]byte][]float32
}

// longestEmbedding is far above the width of any model.
const longestEmbedding = 1 << 20

// keepEmbeddings has an embedding reader keep what it reads.
func (m *models) keepEmbeddings(dir string) error {
	r, ok := m.reference.(*ollama.Reader)
	if !ok {
		return nil
	}
	e := &embeddings{path: filepath.Join(dir, "embeddings"), known: map[[sha256.Size]byte][]float32{}}
	if err := e.load(); err != nil {
		return fmt.Errorf("the kept embeddings: %w", err)
	}
	m.reference = r.Keeping(e)
	return nil
}

// Embedding implements ollama.Kept.
func (e *embeddings) Embedding(text string) ([]float32, bool) {
	v, ok := e.known[sha256.Sum256([]byte(text))]
	return v, ok
}

// Keep implements ollama.Kept.
func (e *embeddings) Keep(texts []string, vectors [][]float32) error {
	if len(texts) == 0 {
		return nil
	}
	f, err := os.OpenFile(e.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	var b []byte
	for i, text := range texts {
		key := sha256.Sum256([]byte(text))
		e.known[key] = vectors[i]
		b = binary.LittleEndian.AppendUint32(append(b, key[:]...), uint32(len(vectors[i])))
		for _, x := range vectors[i] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// load reads what is kept, and cuts off a record that is not whole.
func (e *embeddings) load() error {
	f, err := os.OpenFile(e.path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	in := bufio.NewReader(f)
	whole := int64(0)
	for err == nil {
		var head [sha256.Size + 4]byte
		if _, err = io.ReadFull(in, head[:]); err != nil {
			break
		}
		n := binary.LittleEndian.Uint32(head[sha256.Size:])
		if n > longestEmbedding {
			return errors.Join(fmt.Errorf("%s: a vector of %d numbers; remove the file, its texts are read again", e.path, n), f.Close())
		}
		v := make([]float32, n)
		if err = binary.Read(in, binary.LittleEndian, v); err != nil {
			break
		}
		e.known[[sha256.Size]byte(head[:])] = v
		whole += int64(len(head) + 4*len(v))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = f.Truncate(whole)
	}
	return errors.Join(err, f.Close())
}
