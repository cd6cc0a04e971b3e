package diversity

import (
	"math"
	"slices"
	"testing"
)

func TestTypesOf(t *testing.T) {
	got := TypesOf([]string{"sum", "product", "sum", "", "linear", "sum", "linear", ""})
	if got.Typed != 6 || got.Untyped != 2 {
		t.Errorf("%d typed and %d untyped, want 6 and 2", got.Typed, got.Untyped)
	}
	want := []Share{{"sum", 3, 3. / 6}, {"linear", 2, 2. / 6}, {"product", 1, 1. / 6}}
	if !slices.Equal(got.Shares, want) {
		t.Errorf("shares %v, want %v", got.Shares, want)
	}
	nearPointer(t, "top share", got.Top, .5)
	nearPointer(t, "effective number", got.Effective, math.Sqrt(2)*math.Cbrt(3)*math.Pow(6, 1./6)) // Π p^−p
}

func TestEffectiveNumberOfEqualTypes(t *testing.T) {
	types := []string{}
	for n, name := range []string{"a", "b", "c", "d", "e"} {
		types = append(types, name, name, name)
		nearPointer(t, "effective number", TypesOf(types).Effective, float64(n+1))
		nearPointer(t, "top share", TypesOf(types).Top, 1/float64(n+1))
	}
}

func TestEqualTypesAreOrderedByName(t *testing.T) {
	for _, types := range [][]string{{"b", "a", "c"}, {"c", "b", "a"}} {
		if s := TypesOf(types).Shares; s[0].Type != "a" || s[1].Type != "b" || s[2].Type != "c" {
			t.Errorf("shares of %q: %v, want a, b, c", types, s)
		}
	}
}

func TestTypesUndefined(t *testing.T) {
	for _, types := range [][]string{nil, {"", ""}} {
		if got := TypesOf(types); got.Top != nil || got.Effective != nil || got.Shares == nil || len(got.Shares) > 0 {
			t.Errorf("TypesOf(%q) = %+v, want no shares, and the figures undefined", types, got)
		}
	}
}
