package diversity

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Vendi is the Vendi score of items given by their feature vectors, of the vectors with these numbers (Friedman and Dieng, arXiv 2210.02410,
// def. 3.1): exp(−Σ λ ln λ) over the eigenvalues λ of K/n, with K the n × n cosine similarities. It lies in 1 … n: 1 when all vectors have one
// direction, n when all are orthogonal.
//
// With fewer dimensions than items the same eigenvalues are taken from the smaller d × d matrix, so the cost is O(n·d·min(n, d)).
//
// No items, vectors of unequal length, a value that is not finite and a vector of zeros, which has no direction, are errors.
func Vendi(vectors [][]float64, items []int) (float64, error) {
	unit, err := directions(vectors, items)
	if err != nil {
		return 0, err
	}
	n, d := unit.Dims()
	var gram mat.SymDense
	if n <= d {
		gram.SymOuterK(1/float64(n), unit)
	} else {
		gram.SymOuterK(1/float64(n), unit.T())
	}
	return spectral(&gram)
}

// spectral is exp(−Σ λ ln λ) over the eigenvalues of a matrix of trace 1.
func spectral(density *mat.SymDense) (float64, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(density, false) {
		return 0, fmt.Errorf("diversity: Vendi: the eigenvalues of a matrix of order %d did not converge", density.SymmetricDim())
	}
	return effectiveNumber(eigen.Values(nil)), nil
}

// directions is the vectors of those rows, scaled to length 1.
func directions(vectors [][]float64, rows []int) (*mat.Dense, error) {
	if len(rows) == 0 || len(vectors[rows[0]]) == 0 {
		return nil, fmt.Errorf("diversity: Vendi: no feature vectors, or empty ones: give at least one item with one feature")
	}
	d := len(vectors[rows[0]])
	unit := mat.NewDense(len(rows), d, nil)
	for k, row := range rows {
		v := vectors[row]
		if len(v) != d {
			return nil, fmt.Errorf("diversity: Vendi: vector %d has %d features and vector %d has %d: they must be of one space", row, len(v), rows[0], d)
		}
		length := floats.Norm(v, 2)
		if math.IsNaN(length) || math.IsInf(length, 0) {
			return nil, fmt.Errorf("diversity: Vendi: vector %d has the length %v: every feature must be finite", row, length)
		}
		if length == 0 {
			return nil, fmt.Errorf("diversity: Vendi: vector %d is all zeros and has no direction: leave its item out", row)
		}
		for j, x := range v {
			unit.Set(k, j, x/length)
		}
	}
	return unit, nil
}
