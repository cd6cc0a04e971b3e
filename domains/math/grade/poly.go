package grade

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// monomial is a product of powers of generators, spelt so that it can be a map key: generators ascending, exponents positive.
type monomial string

type factor struct{ gen, exp int }

func (m monomial) factors() []factor {
	fs := make([]factor, 0, len(m)/4)
	for i := 0; i < len(m); i += 4 {
		fs = append(fs, factor{int(binary.BigEndian.Uint16([]byte(m[i:]))), int(binary.BigEndian.Uint16([]byte(m[i+2:])))})
	}
	return fs
}

func monomialOf(fs []factor) monomial {
	var b []byte
	for _, f := range fs {
		b = binary.BigEndian.AppendUint16(b, uint16(f.gen))
		b = binary.BigEndian.AppendUint16(b, uint16(f.exp))
	}
	return monomial(b)
}

// poly maps monomials to coefficients, none of them zero.
type poly map[monomial]*big.Rat

func constantPoly(c *big.Rat) poly {
	if c.Sign() == 0 {
		return poly{}
	}
	return poly{"": c}
}

func (r *ring) generatorPoly(gen int) poly {
	return poly{monomialOf([]factor{{gen, 1}}): big.NewRat(1, 1)}
}

// rational returns the value of a polynomial without generators.
func (p poly) rational() (*big.Rat, bool) {
	switch c, ok := p[""]; {
	case len(p) == 0:
		return new(big.Rat), true
	case len(p) == 1 && ok:
		return c, true
	}
	return nil, false
}

func (p poly) addTerm(m monomial, c *big.Rat) {
	if old, ok := p[m]; ok {
		c = new(big.Rat).Add(old, c)
	}
	if c.Sign() == 0 {
		delete(p, m)
		return
	}
	p[m] = c
}

// words is the size of a coefficient in machine words.
func words(c *big.Rat) int64 { return int64(c.Num().BitLen()+c.Denom().BitLen())/64 + 1 }

// maxWords bounds coefficients that grow out of sums and products of numbers of maxDigits digits.
const maxWords = 4 * maxDigits / 19

func (r *ring) add(a, b poly) (poly, error) {
	sum := make(poly, len(a)+len(b))
	for m, c := range a {
		sum[m] = c
	}
	for m, c := range b {
		if err := r.work.spend(words(c) * 8); err != nil {
			return nil, err
		}
		sum.addTerm(m, c)
	}
	return r.checked(sum)
}

func (r *ring) mul(a, b poly) (poly, error) {
	product := make(poly, max(len(a), len(b)))
	for m, c := range a {
		if len(product) > 2*maxTerms {
			return nil, errLimit
		}
		for n, d := range b {
			if err := r.work.spend(words(c)*words(d)*4 + 256); err != nil {
				return nil, err
			}
			mn, extra, err := r.mulMonomial(m, n)
			if err != nil {
				return nil, err
			}
			cd := new(big.Rat).Mul(c, d)
			if extra != nil {
				cd.Mul(cd, extra)
			}
			product.addTerm(mn, cd)
		}
	}
	return r.checked(product)
}

func (r *ring) checked(p poly) (poly, error) {
	if len(p) > maxTerms {
		return nil, errLimit
	}
	for _, c := range p {
		if words(c) > maxWords {
			return nil, errLimit
		}
	}
	return p, nil
}

// mulMonomial multiplies monomials. Powers of roots that are rational leave the monomial and are returned apart.
func (r *ring) mulMonomial(a, b monomial) (monomial, *big.Rat, error) {
	if a == "" {
		return b, nil, nil
	}
	if b == "" {
		return a, nil, nil
	}
	fa, fb := a.factors(), b.factors()
	var merged []factor
	var extra *big.Rat
	for len(fa) > 0 || len(fb) > 0 {
		var f factor
		switch {
		case len(fb) == 0 || len(fa) > 0 && fa[0].gen < fb[0].gen:
			f, fa = fa[0], fa[1:]
		case len(fa) == 0 || fb[0].gen < fa[0].gen:
			f, fb = fb[0], fb[1:]
		default:
			f = factor{fa[0].gen, fa[0].exp + fb[0].exp}
			fa, fb = fa[1:], fb[1:]
		}
		if g := r.gens[f.gen]; g.kind == rootGenerator && f.exp >= g.degree {
			if extra == nil {
				extra = big.NewRat(1, 1)
			}
			extra.Mul(extra, g.power)
			f.exp -= g.degree
		}
		if f.exp > maxDegree {
			return "", nil, errLimit
		}
		if f.exp > 0 {
			merged = append(merged, f)
		}
	}
	return monomialOf(merged), extra, nil
}

func (r *ring) scale(p poly, c *big.Rat) poly {
	scaled := make(poly, len(p))
	for m, d := range p {
		scaled[m] = new(big.Rat).Mul(c, d)
	}
	return scaled
}

// monomials lists the monomials of p in a fixed order.
func (p poly) monomials() []monomial {
	ms := make([]monomial, 0, len(p))
	for m := range p {
		ms = append(ms, m)
	}
	slices.Sort(ms)
	return ms
}

func (r *ring) spell(p poly) string {
	var b strings.Builder
	for _, m := range p.monomials() {
		fmt.Fprintf(&b, "+%s", p[m].RatString())
		for _, f := range m.factors() {
			fmt.Fprintf(&b, "*%s^%d", r.gens[f.gen].name, f.exp)
		}
	}
	return b.String()
}
