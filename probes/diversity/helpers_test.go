package diversity

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func nearPointer(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is undefined, want %.12g", what, want)
		return
	}
	near(t, what, *got, want)
}

func tokenised(statements ...string) [][]string {
	out := make([][]string, len(statements))
	for i, s := range statements {
		out[i] = Tokens(s)
	}
	return out
}
