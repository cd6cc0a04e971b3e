package engine

// frozen holds the matrices of a model that stay in its file.
type frozen struct {
	embedding, head *stored // the same when tied
	blocks          [][matCount]*stored
	// widen says that panels are decoded once and kept.
	widen bool
}

// Frozen says that the model's matrices stay in its file: adapters can be trained on it, its own weights cannot.
func (m *Model) Frozen() bool { return m.frozen != nil }

// freeze fills k with a frozen model's matrices.
func (k *kernels) freeze(m *Model) {
	k.shared = true
	k.table = m.frozen.embedding
	for i := range m.Blocks {
		for j, s := range m.frozen.blocks[i] {
			k.blocks[i][j] = m.frozen.linear(s, m.Blocks[i].bias(j))
		}
	}
	k.head = m.frozen.linear(m.frozen.head, nil)
}

func (f *frozen) linear(s *stored, bias []float32) linear {
	l := linear{in: s.cols, out: s.rows, bias: bias, file: s}
	if f.widen {
		l.wt = &panels{rows: s.cols, cols: s.rows, data: make([]float32, s.cols*padded(s.rows))}
		parallel(padded(s.rows)/tileCols, &widening{s, l.wt})
	}
	return l
}

// widening decodes a matrix's panels.
type widening struct {
	s  *stored
	to *panels
}

func (w *widening) part(i, _ int) {
	d := decodings.Get().(*decoding)
	w.s.panel(w.to.panel(i*tileCols), d, i*tileCols)
	decodings.Put(d)
}
