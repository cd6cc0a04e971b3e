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

// freeze leaves m's matrices in the file, and reads its norms and biases. found are the tensors by name.
func (f *ggufFile) freeze(m *Model, found map[string]*fileTensor) error {
	z := m.frozen
	z.embedding = f.stored(found["token_embd.weight"])
	z.head = z.embedding
	if !m.Tied {
		z.head = f.stored(found["output.weight"])
	}
	z.blocks = make([][matCount]*stored, m.Layers)
	for i := range m.Blocks {
		for j := range z.blocks[i] {
			z.blocks[i][j] = f.stored(found[factorName(i, j)+".weight"])
		}
		b := &m.Blocks[i]
		b.AttnNorm, b.FFNNorm = make([]float32, m.Width), make([]float32, m.Width)
		if m.Bias {
			b.BQ, b.BK, b.BV = make([]float32, m.queryWidth()), make([]float32, m.kvWidth()), make([]float32, m.kvWidth())
		}
	}
	m.OutNorm = make([]float32, m.Width)
	for _, t := range m.Tensors() {
		if len(t.Shape) > 1 {
			continue
		}
		if err := f.load(found[t.Name], t.Data); err != nil {
			return err
		}
	}
	return nil
}

func (f *ggufFile) stored(t *fileTensor) *stored {
	return &stored{name: t.Name, rows: int(t.Shape[1]), cols: int(t.Shape[0]), format: t.format, file: f.r, offset: f.data + int64(t.Offset)}
}

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
