package engine

import (
	"sync"

	"github.com/viterin/vek/vek32"
)

// linear is one weight matrix as the engine multiplies by it: in memory (w and wt), or frozen in a file (file), decoded when it is
// used but for the panels, which may be kept decoded.
type linear struct {
	in, out int
	bias    []float32 // [out], or nil
	w       []float32 // [out][in]: gradients flow back through it
	wt      *panels   // [in][out]: activations flow forward through it
	file    *stored
}

func newLinear(w []float32, out, in int) linear {
	return linear{in: in, out: out, w: w, wt: new(panels)}
}

// refresh lays the matrix out anew after w has changed.
func (l *linear) refresh() { l.wt.setPanels(l.w, l.in, l.out, true) }

// forward sets y[n×out] = x[n×in] · Wᵀ + bias.
func (l *linear) forward(y, x []float32, n int) {
	if l.file != nil {
		parallel((l.out+tileCols-1)/tileCols, &productWork{l: l, y: y, x: x, n: n})
		return
	}
	l.wt.product(y, x, n, false)
	if l.bias != nil {
		for i := range n {
			vek32.Add_Inplace(y[i*l.out:(i+1)*l.out], l.bias)
		}
	}
}

// back sets dx[n×in] = dy[n×out] · W, or adds the product to dx.
func (l *linear) back(dx, dy []float32, n int, add bool) {
	if l.file == nil {
		matmul(dx, dy, l.w, n, l.out, l.in, add)
		return
	}
	parallel((l.in+stretch-1)/stretch, &productWork{l: l, y: dx, x: dy, n: n, back: true, add: add})
}

// productWork is a product with a frozen matrix, cut into panels of the result's columns for all cores.
type productWork struct {
	l         *linear
	y, x      []float32
	n         int
	back, add bool
}

var decodings = sync.Pool{New: func() any { return new(decoding) }}

func (w *productWork) part(i, _ int) {
	d := decodings.Get().(*decoding)
	if w.back {
		w.backPart(i*stretch, d)
	} else {
		w.forwardPart(i*tileCols, d)
	}
	decodings.Put(d)
}

// forwardPart computes a tile's width of the outputs.
func (w *productWork) forwardPart(j int, d *decoding) {
	l := w.l
	var panel []float32
	if l.wt != nil {
		panel = l.wt.panel(j)
	} else {
		grow(&d.panel, l.in*tileCols)
		panel = d.panel
		l.file.panel(panel, d, j)
	}
	width := min(tileCols, l.out-j)
	column(w.y[j:], w.x, panel, w.n, l.in, l.in, 1, tileCols, l.out, width, false)
	if l.bias != nil {
		for i := range w.n {
			row := w.y[i*l.out+j : i*l.out+j+width]
			for c := range row {
				row[c] += l.bias[j+c]
			}
		}
	}
}

// backRows is how many of a frozen matrix's rows are decoded at a time on the way back.
const backRows = 64

// backPart computes a stretch of the inputs' gradients, summed over the outputs in order.
func (w *productWork) backPart(j int, d *decoding) {
	l, cols := w.l, min(stretch, w.l.in-j)
	grow(&d.values, backRows*stretch)
	add := w.add
	for from := 0; from < l.out; from += backRows {
		rows := min(backRows, l.out-from)
		for r := range rows {
			l.file.decode(d.values[r*cols:(r+1)*cols], d, from+r, j)
		}
		for c := 0; c < cols; c += tileCols {
			column(w.y[j+c:], w.x[from:], d.values[c:], w.n, rows, l.out, 1, cols, l.in, min(tileCols, cols-c), add)
		}
		add = true
	}
}
