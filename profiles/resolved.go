package profiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/BurntSushi/toml"
)

// Resolved is the complete profile of one run as TOML, every key in the order of the schema but those of a sweep. It extends nothing, and
// parses to a profile that asks for the same run.
func (p *Profile) Resolved() string {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(p); err != nil {
		panic("profiles: the profile cannot be written as TOML: " + err.Error())
	}
	return b.String()
}

// Hash is the SHA-256 of Resolved in hexadecimal: equal for profiles that ask for the same, however they were written. A model file counts
// by its absolute path: a relative one means another file in another working directory, and an absolute one the same everywhere.
func (p *Profile) Hash() string {
	sum := sha256.Sum256([]byte(p.Resolved()))
	return hex.EncodeToString(sum[:])
}
