package engine

import (
	"fmt"
	"io"

	"verge/runner/engine/quant"
)

// stored is a weight matrix [rows][cols] that stays in its file, in the file's format, and is decoded piece by piece when it is used.
type stored struct {
	name       string
	rows, cols int
	format     *quant.Format
	file       io.ReaderAt // a memory map
	offset     int64
}

// stretch is how many values of a row are decoded at a time: whole blocks of any format, and sixteen of them stay in the first-level cache.
const stretch = 256

// decoding is the memory that decoding takes.
type decoding struct {
	raw           []byte
	values, panel []float32
}

func (s *stored) rowBytes() int { return s.format.Size(s.cols) }

// bytes reads rows from … from+n.
func (s *stored) bytes(d *decoding, from, n int) []byte {
	size := n * s.rowBytes()
	if cap(d.raw) < size {
		d.raw = make([]byte, size)
	}
	d.raw = d.raw[:size]
	// The file was seen to hold the tensor when it was mapped, and a map keeps its length.
	if _, err := s.file.ReadAt(d.raw, s.offset+int64(from)*int64(s.rowBytes())); err != nil {
		panic(fmt.Sprintf("engine: tensor %s, rows from %d: %v", s.name, from, err))
	}
	return d.raw
}

// row decodes one row into dst.
func (s *stored) row(dst []float32, d *decoding, row int) {
	s.format.Decode(dst, s.bytes(d, row, 1))
}

// block decodes columns from … from+cols of the rows in raw, as bytes left them, into dst[rows][cols].
func (s *stored) block(dst []float32, raw []byte, rows, from, cols int) {
	start, size := s.format.Size(from), s.format.Size(cols)
	for r := range rows {
		at := r*s.rowBytes() + start
		s.format.Decode(dst[r*cols:(r+1)*cols], raw[at:at+size])
	}
}

// panel decodes rows from … from+tileCols and lays them out as a panel [cols][tileCols], with zeros for rows that there are not.
func (s *stored) panel(dst []float32, d *decoding, from int) {
	n := min(tileCols, s.rows-from)
	raw := s.bytes(d, from, n)
	if n < tileCols {
		clear(dst)
	}
	grow(&d.values, tileCols*stretch)
	for c := 0; c < s.cols; c += stretch {
		cols := min(stretch, s.cols-c)
		s.block(d.values, raw, n, c, cols)
		turnRows(dst[c*tileCols:], d.values, n, cols)
	}
}
