package grade

import (
	"fmt"
	"math/big"
)

const (
	maxRoot  = 64   // degree of a root with a normal form
	maxPrime = 4000 // largest prime that is divided out
)

// rationalRoot is the n-th root of a rational number in normal form: a rational times roots of primes. Even roots of negative numbers
// are written with i where n is 2, and have no normal form otherwise. Odd roots of negative numbers are real.
func (r *ring) rationalRoot(x *big.Rat, n int) (quotient, bool, error) {
	if x.Sign() == 0 {
		return rationalQuotient(new(big.Rat)), true, nil
	}
	result := rationalQuotient(big.NewRat(1, 1))
	if x.Sign() < 0 {
		switch {
		case n%2 == 1:
			result = rationalQuotient(big.NewRat(-1, 1))
		case n == 2:
			result = r.single(iGen)
		default:
			return quotient{}, false, nil
		}
		x = new(big.Rat).Neg(x)
	}
	// The root of a/b is that of a·b^(n-1), divided by b.
	if x.Denom().BitLen()*n > maxBits {
		return quotient{}, false, nil
	}
	radicand := new(big.Int).Exp(x.Denom(), big.NewInt(int64(n-1)), nil)
	radicand.Mul(radicand, x.Num())
	if radicand.BitLen() > maxBits {
		return quotient{}, false, nil
	}
	parts, err := r.primes(radicand)
	if err != nil {
		return quotient{}, false, err
	}
	whole := new(big.Int).Set(big.NewInt(1))
	for _, part := range parts {
		outside := new(big.Int).Exp(part.base, big.NewInt(int64(part.exp/n)), nil)
		whole.Mul(whole, outside)
		inside := part.exp % n
		if inside == 0 {
			continue
		}
		d := gcd(inside, n)
		root := r.single(generator{
			name: fmt.Sprintf("root(%s,%d)", part.base, n/d), kind: rootGenerator, degree: n / d, power: new(big.Rat).SetInt(part.base),
		})
		for range inside / d {
			if result, err = r.mulQuotients(result, root); err != nil {
				return quotient{}, false, err
			}
		}
	}
	result, err = r.mulQuotients(result, rationalQuotient(new(big.Rat).SetFrac(whole, x.Denom())))
	return result, true, err
}

// primePower is a factor of a whole number. Its base is a prime, or has none below maxPrime.
type primePower struct {
	base *big.Int
	exp  int
}

// primes factors a positive number by small primes. What remains is split only where it is a square or a cube.
func (r *ring) primes(n *big.Int) ([]primePower, error) {
	rest := new(big.Int).Set(n)
	var parts []primePower
	quo, rem := new(big.Int), new(big.Int)
	for p := int64(2); p < maxPrime && rest.BitLen() > 1; p++ {
		if rest.IsInt64() && p*p > rest.Int64() {
			break
		}
		if err := r.work.spend(int64(rest.BitLen())/64 + 1); err != nil {
			return nil, err
		}
		prime := big.NewInt(p)
		exp := 0
		for {
			if quo.QuoRem(rest, prime, rem); rem.Sign() != 0 {
				break
			}
			rest.Set(quo)
			exp++
		}
		if exp > 0 {
			parts = append(parts, primePower{prime, exp})
		}
	}
	if rest.BitLen() <= 1 {
		return parts, nil
	}
	exp := 1
	for {
		root := new(big.Int).Sqrt(rest)
		if new(big.Int).Mul(root, root).Cmp(rest) != 0 {
			break
		}
		rest, exp = root, 2*exp
	}
	if cube := cubeRoot(rest); cube != nil {
		rest, exp = cube, 3*exp
	}
	return append(parts, primePower{rest, exp}), nil
}

// cubeRoot returns the whole cube root of a number, or nil. Newton's iteration starts above the root and falls.
func cubeRoot(n *big.Int) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(1), uint(n.BitLen()/3+1))
	for {
		next := new(big.Int).Quo(n, new(big.Int).Mul(x, x))
		next.Add(next, new(big.Int).Lsh(x, 1)).Quo(next, big.NewInt(3))
		if next.Cmp(x) >= 0 {
			break
		}
		x = next
	}
	if new(big.Int).Exp(x, big.NewInt(3), nil).Cmp(n) != 0 {
		return nil
	}
	return x
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
