package engine

import "golang.org/x/sys/cpu"

// useTiles says that the CPU has the instructions of the assembly tiles.
var useTiles = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// tile6, tile3, tile2 and tile1 set a tile of that many rows and tileCols columns: c = a·b, or c += a·b where add is not 0. Strides are in
// elements: ai and ak between a's rows and between its terms, ldb and ldc between rows of b and c. k is at least 1.
//
//go:noescape
func tile6(c, a, b *float32, k, ai, ak, ldb, ldc, add int)

//go:noescape
func tile3(c, a, b *float32, k, ai, ak, ldb, ldc, add int)

//go:noescape
func tile2(c, a, b *float32, k, ai, ak, ldb, ldc, add int)

//go:noescape
func tile1(c, a, b *float32, k, ai, ak, ldb, ldc, add int)

// exp8 sets dst = e^src, element by element, as exp32 does but for values above 88, which it takes as 88; n is a positive multiple of 8.
//
//go:noescape
func exp8(dst, src *float32, n int)

// turn16 writes sixteen rows of src, cols values each and stride values apart, as a panel [cols][16]; cols is a positive multiple of 8.
//
//go:noescape
func turn16(panel, src *float32, stride, cols int)
