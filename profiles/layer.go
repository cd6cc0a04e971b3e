package profiles

import "strconv"

// Layer is a layer of a model: 0 is the embeddings, n what leaves block n.
type Layer int

// AutoLayer asks for the layer that does best in cross-validation.
const AutoLayer Layer = -1

// String is the layer as a profile writes it, without quotes.
func (l Layer) String() string {
	if l == AutoLayer {
		return "auto"
	}
	return strconv.Itoa(int(l))
}

// MarshalTOML writes "auto" or a number.
func (l Layer) MarshalTOML() ([]byte, error) {
	if l == AutoLayer {
		return []byte(`"auto"`), nil
	}
	return []byte(l.String()), nil
}
