package profiles

import "strconv"

// Layer is a layer of a model: 0 is the embeddings, n what leaves block n.
type Layer int

const (
	AutoLayer Layer = -1 // the layer that does best in cross-validation
	AllLayers Layer = -2 // every layer, read together
)

// String is the layer as a profile writes it, without quotes.
func (l Layer) String() string {
	switch l {
	case AutoLayer:
		return "auto"
	case AllLayers:
		return "all"
	}
	return strconv.Itoa(int(l))
}

// MarshalTOML writes "auto", "all" or a number.
func (l Layer) MarshalTOML() ([]byte, error) {
	if l < 0 {
		return []byte(strconv.Quote(l.String())), nil
	}
	return []byte(l.String()), nil
}
