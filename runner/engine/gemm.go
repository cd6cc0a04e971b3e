package engine

// Matrix products are most of what the engine computes. vek32.MatMul streams one operand from the second-level cache for every
// row; the tiles here keep six rows of results in registers instead, which is two to three times as fast on the shapes of a
// Llama. Everything element by element is vek's.

// tileCols is the number of columns of a tile: two AVX2 vectors.
const tileCols = 16

// padded is n rounded up to whole tiles.
func padded(n int) int { return (n + tileCols - 1) / tileCols * tileCols }

// panels is a matrix [rows][cols] laid out as the right side of a product: panels of tileCols columns, each [rows][tileCols], the
// last filled up with zeros, so that a tile reads it in one run.
type panels struct {
	rows, cols int
	data       []float32
}

// setPanels lays out src[rows][cols], or with turned set the transpose of src[cols][rows], reusing p's memory.
func (p *panels) setPanels(src []float32, rows, cols int, turned bool) {
	p.rows, p.cols = rows, cols
	grow(&p.data, rows*padded(cols))
	for j := 0; j < cols; j += tileCols {
		width := min(tileCols, cols-j)
		panel := p.panel(j)
		if width < tileCols {
			clear(panel)
		}
		if turned {
			turnRows(panel, src[j*rows:], width, rows)
			continue
		}
		for r := range rows {
			copy(panel[r*tileCols:], src[r*cols+j:r*cols+j+width])
		}
	}
}

// panel is the panel of columns j … j+tileCols.
func (p *panels) panel(j int) []float32 { return p.data[j*p.rows : (j+tileCols)*p.rows] }

// turnRows writes src[rows][cols], at most tileCols rows, as the first columns of a panel [cols][tileCols].
func turnRows(panel, src []float32, rows, cols int) {
	if n := cols &^ 7; useTiles && rows == tileCols && n > 0 {
		_, _ = panel[cols*tileCols-1], src[rows*cols-1]
		turn16(&panel[0], &src[0], cols, n)
		for c := n; c < cols; c++ {
			for r := range rows {
				panel[c*tileCols+r] = src[r*cols+c]
			}
		}
		return
	}
	for r := range rows {
		for c, v := range src[r*cols : (r+1)*cols] {
			panel[c*tileCols+r] = v
		}
	}
}

// product sets dst[m×cols] = x[m×rows] · p, or adds the product to dst. A row of dst depends on that row of x alone, not on m.
func (p *panels) product(dst, x []float32, m int, add bool) {
	for j := 0; j < p.cols; j += tileCols {
		column(dst[j:], x, p.panel(j), m, p.rows, p.rows, 1, tileCols, p.cols, min(tileCols, p.cols-j), add)
	}
}

// matmul sets dst[m×p] = x[m×n] · y[n×p], all row-major, or adds the product to dst. It lays nothing out: for small matrices.
func matmul(dst, x, y []float32, m, n, p int, add bool) {
	for j := 0; j < p; j += tileCols {
		column(dst[j:], x, y[j:], m, n, n, 1, p, p, min(tileCols, p-j), add)
	}
}

// matmulTurned is matmul with the transpose of x[n×m] on the left.
func matmulTurned(dst, x, y []float32, m, n, p int, add bool) {
	for j := 0; j < p; j += tileCols {
		column(dst[j:], x, y[j:], m, n, 1, m, p, p, min(tileCols, p-j), add)
	}
}

// column computes one tile's width of columns of c, over m rows and k terms. Strides are as for the tiles.
func column(c, a, b []float32, m, k, ai, ak, ldb, ldc, width int, add bool) {
	if m == 0 {
		return
	}
	if !useTiles || k == 0 || width < tileCols && ldb != tileCols {
		columnGo(c, a, b, m, k, ai, ak, ldb, ldc, width, add)
		return
	}
	flag := 0
	if add {
		flag = 1
	}
	// The tiles check no bounds.
	_, _ = a[(m-1)*ai+(k-1)*ak], b[(k-1)*ldb+tileCols-1]
	if width < tileCols {
		edge(c, a, b, m, k, ai, ak, ldc, width, add)
		return
	}
	_ = c[(m-1)*ldc+tileCols-1]
	i := 0
	for ; i+6 <= m; i += 6 {
		tile6(&c[i*ldc], &a[i*ai], &b[0], k, ai, ak, ldb, ldc, flag)
	}
	for ; i+3 <= m; i += 3 {
		tile3(&c[i*ldc], &a[i*ai], &b[0], k, ai, ak, ldb, ldc, flag)
	}
	for ; i+2 <= m; i += 2 {
		tile2(&c[i*ldc], &a[i*ai], &b[0], k, ai, ak, ldb, ldc, flag)
	}
	for ; i < m; i++ {
		tile1(&c[i*ldc], &a[i*ai], &b[0], k, ai, ak, ldb, ldc, flag)
	}
}

// edge computes a panel's last columns, fewer than a tile's: whole tiles into a buffer, of which c takes its part.
func edge(c, a, b []float32, m, k, ai, ak, ldc, width int, add bool) {
	var buf [6 * tileCols]float32
	for i := 0; i < m; {
		rows := 1
		switch {
		case m-i >= 6:
			rows = 6
			tile6(&buf[0], &a[i*ai], &b[0], k, ai, ak, tileCols, tileCols, 0)
		case m-i >= 3:
			rows = 3
			tile3(&buf[0], &a[i*ai], &b[0], k, ai, ak, tileCols, tileCols, 0)
		case m-i == 2:
			rows = 2
			tile2(&buf[0], &a[i*ai], &b[0], k, ai, ak, tileCols, tileCols, 0)
		default:
			tile1(&buf[0], &a[i*ai], &b[0], k, ai, ak, tileCols, tileCols, 0)
		}
		for r := range rows {
			row := c[(i+r)*ldc : (i+r)*ldc+width]
			for j := range row {
				if add {
					row[j] += buf[r*tileCols+j]
				} else {
					row[j] = buf[r*tileCols+j]
				}
			}
		}
		i += rows
	}
}

// columnGo is column for columns that fill no tile and for CPUs without the tiles.
func columnGo(c, a, b []float32, m, k, ai, ak, ldb, ldc, width int, add bool) {
	var sum [tileCols]float32
	for i := range m {
		clear(sum[:])
		for t := range k {
			v := a[i*ai+t*ak]
			for j, w := range b[t*ldb : t*ldb+width] {
				sum[j] += v * w
			}
		}
		row := c[i*ldc : i*ldc+width]
		for j := range row {
			if add {
				row[j] += sum[j]
			} else {
				row[j] = sum[j]
			}
		}
	}
}
