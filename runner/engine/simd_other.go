//go:build !amd64

package engine

// useTiles is false: other CPUs run the loops in Go, which are slower and round otherwise.
const useTiles = false

func tile6(c, a, b *float32, k, ai, ak, ldb, ldc, add int) { panic(noTiles) }
func tile3(c, a, b *float32, k, ai, ak, ldb, ldc, add int) { panic(noTiles) }
func tile2(c, a, b *float32, k, ai, ak, ldb, ldc, add int) { panic(noTiles) }
func tile1(c, a, b *float32, k, ai, ak, ldb, ldc, add int) { panic(noTiles) }
func exp8(dst, src *float32, n int)                        { panic(noTiles) }
func turn16(panel, src *float32, stride, cols int)         { panic(noTiles) }

const noTiles = "engine: no assembly for this CPU"
