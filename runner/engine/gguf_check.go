package engine

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/ollama/ollama/fs/ggml"
)

// checkGGUF walks the header of a GGUF file of size bytes and returns an error unless all it announces lies within the file, each
// key and tensor once. The decoder that runs after it allocates whatever a header says and may panic on a damaged one.
func checkGGUF(r io.Reader, size int64) error {
	h := &header{r: bufio.NewReader(r), size: uint64(size), alignment: 32}
	if magic := h.bytes(min(4, h.size)); h.err == nil && string(magic) != "GGUF" {
		return fmt.Errorf("not a GGUF file: it begins with %q, expected \"GGUF\"", magic)
	}
	if version := h.uint32(); h.err == nil && version != 2 && version != 3 {
		return fmt.Errorf("GGUF version %d; versions 2 and 3 (little-endian) can be read", version)
	}
	tensors, pairs := h.uint64(), h.uint64()
	h.pairs(pairs)
	h.tensors(tensors)
	return h.err
}

// header reads a GGUF header. The first error stays, and every read after it returns zero.
type header struct {
	r         *bufio.Reader
	size      uint64 // of the file, bytes
	at        uint64 // bytes read
	alignment uint64 // of tensor data, bytes
	err       error
}

func (h *header) fail(format string, args ...any) {
	if h.err == nil {
		h.err = fmt.Errorf(format, args...)
	}
}

// within says whether n more bytes lie in the file.
func (h *header) within(n uint64) bool {
	if h.err == nil && n > h.size-h.at {
		h.fail("the header needs %d bytes at byte %d of a file of %d: it is damaged or cut short", n, h.at, h.size)
	}
	return h.err == nil
}

func (h *header) bytes(n uint64) []byte {
	if !h.within(n) {
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(h.r, b); err != nil {
		h.fail("reading the header at byte %d: %w", h.at, err)
		return nil
	}
	h.at += n
	return b
}

func (h *header) skip(n uint64) {
	if !h.within(n) {
		return
	}
	if _, err := io.CopyN(io.Discard, h.r, int64(n)); err != nil {
		h.fail("reading the header at byte %d: %w", h.at, err)
	}
	h.at += n
}

func (h *header) uint32() uint32 {
	if b := h.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (h *header) uint64() uint64 {
	if b := h.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (h *header) string() string { return string(h.bytes(h.uint64())) }

// GGUF's numbers for the types of metadata values that are not of one fixed size, and for the one that alignment has.
const (
	ggufUint32 = 4
	ggufString = 8
	ggufArray  = 9
)

// ggufSizes are the sizes in bytes of the fixed-size types, by number.
var ggufSizes = map[uint32]uint64{0: 1, 1: 1, 2: 2, 3: 2, ggufUint32: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

func (h *header) pairs(n uint64) {
	seen := map[string]bool{}
	for i := uint64(0); i < n && h.err == nil; i++ {
		key := h.string()
		if seen[key] {
			h.fail("metadata key %s appears twice", key)
		}
		seen[key] = true
		kind := h.uint32()
		if key != "general.alignment" {
			h.value(key, kind)
			continue
		}
		if h.alignment = uint64(h.uint32()); kind != ggufUint32 || h.alignment < 8 || bits.OnesCount64(h.alignment) != 1 {
			h.fail("general.alignment has to be a 32-bit power of two, 8 or more")
		}
	}
}

func (h *header) value(key string, kind uint32) {
	switch size, fixed := ggufSizes[kind]; {
	case fixed:
		h.skip(size)
	case kind == ggufString:
		h.skip(h.uint64())
	case kind == ggufArray:
		h.array(key)
	default:
		h.fail("metadata key %s has type %d, which GGUF does not define", key, kind)
	}
}

func (h *header) array(key string) {
	kind, n := h.uint32(), h.uint64()
	size, fixed := ggufSizes[kind]
	switch {
	case !fixed && kind != ggufString:
		h.fail("metadata key %s is an array of type %d; arrays of numbers, booleans and strings can be read", key, kind)
	case fixed && n > h.size/size, n > h.size:
		h.fail("metadata key %s is an array of %d elements in a file of %d bytes", key, n, h.size)
	case fixed:
		h.skip(n * size)
	default:
		for i := uint64(0); i < n && h.err == nil; i++ {
			h.skip(h.uint64())
		}
	}
}

// tensors checks the tensor table. Data follow one another in its order, so that no byte is claimed twice.
func (h *header) tensors(n uint64) {
	seen := map[string]bool{}
	var end uint64 // of the data so far, from the first byte of data
	for i := uint64(0); i < n && h.err == nil; i++ {
		name := h.string()
		if seen[name] {
			h.fail("tensor %s appears twice", name)
		}
		seen[name] = true
		elements := h.elements(name)
		kind, offset := ggml.TensorType(h.uint32()), h.uint64()
		if h.err != nil {
			return
		}
		if kind.TypeSize() == 0 {
			h.fail("tensor %s has type %d, which is not known", name, uint32(kind))
		}
		if want := align(end, h.alignment); offset != want {
			h.fail("tensor %s begins at byte %d of the data, expected %d", name, offset, want)
		}
		end = offset + kind.RowSize(elements)
		if end > h.size {
			h.fail("tensor %s ends at byte %d of the data, in a file of %d bytes: it is damaged or cut short", name, end, h.size)
		}
	}
	if h.err != nil || end == 0 {
		return
	}
	if start := align(h.at, h.alignment); start+end > h.size {
		h.fail("the file has %d bytes, its tensors reach to byte %d: it is cut short", h.size, start+end)
	}
}

// elements is the number of elements of the tensor whose shape comes next.
func (h *header) elements(name string) uint64 {
	dims := h.uint32()
	if h.err == nil && (dims < 1 || dims > 4) {
		h.fail("tensor %s has %d dimensions; GGUF allows 1 to 4", name, dims)
	}
	elements := uint64(1)
	for range dims {
		over, product := bits.Mul64(elements, h.uint64())
		// No type takes less than a bit an element.
		if h.err == nil && (product == 0 || over > 0 || product > 8*h.size) {
			h.fail("tensor %s has a shape that cannot be in a file of %d bytes", name, h.size)
		}
		if h.err != nil {
			return 0
		}
		elements = product
	}
	return elements
}

func align(n, to uint64) uint64 { return (n + to - 1) / to * to }
