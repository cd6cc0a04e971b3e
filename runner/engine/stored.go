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

// decode sets dst to the values of a row from column from on; both begin and end with whole blocks.
func (s *stored) decode(dst []float32, d *decoding, row, from int) {
	size := s.format.Size(len(dst))
	if cap(d.raw) < size {
		d.raw = make([]byte, size)
	}
	raw := d.raw[:size]
	// The file was seen to hold the tensor when it was mapped, and a map keeps its length.
	if _, err := s.file.ReadAt(raw, s.offset+int64(row)*int64(s.format.Size(s.cols))+int64(s.format.Size(from))); err != nil {
		panic(fmt.Sprintf("engine: tensor %s, row %d: %v", s.name, row, err))
	}
	s.format.Decode(dst, raw)
}

// panel decodes rows from … from+tileCols and lays them out as a panel [cols][tileCols], with zeros for rows that there are not.
func (s *stored) panel(dst []float32, d *decoding, from int) {
	n := min(tileCols, s.rows-from)
	if n < tileCols {
		clear(dst)
	}
	grow(&d.values, tileCols*stretch)
	for c := 0; c < s.cols; c += stretch {
		cols := min(stretch, s.cols-c)
		for r := range n {
			s.decode(d.values[r*cols:(r+1)*cols], d, from+r, c)
		}
		turnRows(dst[c*tileCols:], d.values, n, cols)
	}
}
