package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"verge/runner/store"
)

// Sweep is what came of a sweep. It marshals to the one object that --json prints; undefined figures are null.
type Sweep struct {
	Name        string            `json:"sweep"`
	Profile     string            `json:"profile"`
	Axes        Axes              `json:"axes"`
	Seeds       []uint64          `json:"seeds"`
	Cells       []Cell            `json:"cells"`       // settings by settings, in each by seed
	Comparisons []SweepComparison `json:"comparisons"` // see Compare

	Method string   `json:"-"` // the arm that is the recipe's own, which the others are compared with besides the base
	Dir    string   `json:"-"` // where its runs are stored
	Notes  []string `json:"-"` // what a reader of the table has to know besides
}

// Cell is one run of a sweep.
type Cell struct {
	Hash     string      `json:"hash"` // of its resolved profile
	Settings Settings    `json:"settings"`
	Seed     uint64      `json:"seed"`
	Run      string      `json:"run"` // "" of a missing one
	State    store.State `json:"state"`
	Error    string      `json:"error,omitempty"` // why it failed
	Arms     []Arm       `json:"arms"`            // none unless the run is done
}

// Missing is the state of a cell that no run has been started for.
const Missing store.State = "missing"

// Axis is a key of the profile and the values that it takes.
type Axis struct {
	Key    string
	Values []any
}

// Axes marshal to an object, in their order.
type Axes []Axis

// Setting is a key and its value in a cell.
type Setting struct {
	Key   string
	Value any
}

// Settings are a cell's, in the order of the axes. They marshal to an object in this order.
type Settings []Setting

// MarshalJSON implements json.Marshaler.
func (a Axes) MarshalJSON() ([]byte, error) {
	return object(len(a), func(i int) (string, any) { return a[i].Key, a[i].Values })
}

// MarshalJSON implements json.Marshaler.
func (s Settings) MarshalJSON() ([]byte, error) {
	return object(len(s), func(i int) (string, any) { return s[i].Key, s[i].Value })
}

// object is a JSON object whose members keep their order.
func object(n int, member func(i int) (key string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		key, value := member(i)
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// String is the settings as KEY=VALUE, for a line of text.
func (s Settings) String() string {
	parts := make([]string, len(s))
	for i, x := range s {
		parts[i] = clean(x.Key) + "=" + ValueText(x.Value)
	}
	return strings.Join(parts, " ")
}

// ValueText is an axis' value as a person reads it, without the quotes of a text.
func ValueText(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = ValueText(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return clean(fmt.Sprint(v))
}

// WriteSweepJSON writes a sweep as one line of JSON.
func WriteSweepJSON(w io.Writer, s Sweep) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(s)
}
