package grade

import "math/big"

// ring is the ring of polynomials with rational coefficients in which two expressions are compared. Its generators are made as they
// are met. Two expressions share one ring, so that equal parts are equal generators.
type ring struct {
	work  *work
	index map[string]int
	gens  []generator
}

type generatorKind int

const (
	variableGenerator  generatorKind = iota
	piGenerator                      // transcendental over the rationals (Lindemann)
	eGenerator                       // transcendental over the rationals (Hermite)
	rootGenerator                    // its degree-th power is the rational power
	opaqueGenerator                  // a part with no normal form, identified by its spelling
	factorialGenerator               // a factorial that is not written out
)

type generator struct {
	name   string
	kind   generatorKind
	degree int      // of a root
	power  *big.Rat // of a root
	n      int64    // of a factorial
}

func newRing(w *work) *ring { return &ring{work: w, index: map[string]int{}} }

// generator returns the number of a generator, which is made where it is new.
func (r *ring) generator(g generator) int {
	if at, ok := r.index[g.name]; ok {
		return at
	}
	r.gens = append(r.gens, g)
	r.index[g.name] = len(r.gens) - 1
	return len(r.gens) - 1
}

// settles tells whether two polynomials in the generators of p are equal as numbers or functions only if their normal forms are: there
// is no algebraic relation among variables together with π, nor among variables together with e.
func (r *ring) settles(p poly) bool {
	pi, e := false, false
	for m := range p {
		for _, f := range m.factors() {
			switch r.gens[f.gen].kind {
			case variableGenerator:
			case piGenerator:
				pi = true
			case eGenerator:
				e = true
			default:
				return false
			}
		}
	}
	return !(pi && e)
}

// rooted tells whether a root occurs in a polynomial, so that terms of its powers can fall together.
func (r *ring) rooted(p poly) bool {
	for m := range p {
		for _, f := range m.factors() {
			if r.gens[f.gen].kind == rootGenerator {
				return true
			}
		}
	}
	return false
}
