package profiles

import "testing"

func TestFlagsThatStandForAKeyAreNamed(t *testing.T) {
	for _, c := range []struct{ flag, key, value, want string }{
		{"--seeds", "sweep.seeds", "0", "--seeds 0: out of range; allowed: 1 to 1000, or a list of seeds, each once"},
		{"--seeds", "sweep.seeds", "1,x", "--seeds 1,x: neither a number of seeds nor a list of them; allowed: 1 to 1000, or a list of seeds, each once"},
		{"--seeds", "sweep.seeds", "\xff", "--seeds \xff: not UTF-8; write it in UTF-8"},
		{"--seed", "run.seed", "18446744073709551615", "--seed 18446744073709551615: not a whole number; allowed: 0 to 9223372036854775807"},
	} {
		checkErrors(t, c.value, CheckFlag(c.flag, c.key, c.value), c.want)
	}
	for _, value := range []string{"3", "1,2"} {
		if err := CheckFlag("--seeds", "sweep.seeds", value); err != nil {
			t.Error(err)
		}
	}
}
