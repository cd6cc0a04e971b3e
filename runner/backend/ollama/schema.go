package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Field is a value of a structured reply.
type Field struct {
	Name  string
	Kind  Kind
	Enum  []string // of a Text: the values allowed; none: any
	About string   // a phrase for the model
}

// Kind is the type of a field, in the words of JSON Schema.
type Kind string

// The kinds.
const (
	Text    Kind = "string"
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
)

// Schema is a flat object, all of whose fields are required. The model writes them in their order, so that a reason belongs before the
// verdict that it leads to.
type Schema []Field

// JSON is the schema as JSON Schema, with the fields in their order, which the server's grammar keeps.
func (s Schema) JSON() json.RawMessage {
	var properties, required []string
	for _, f := range s {
		property := map[string]any{"type": f.Kind}
		if len(f.Enum) > 0 {
			property["enum"] = f.Enum
		}
		properties = append(properties, fmt.Sprintf("%s:%s", mustJSON(f.Name), mustJSON(property)))
		required = append(required, f.Name)
	}
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s,"additionalProperties":false}`,
		strings.Join(properties, ","), mustJSON(required)))
}

// mustJSON writes strings and maps of them, which cannot fail.
func mustJSON(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}

// Instruction asks for the schema in words: a grammar keeps a model to a form that it has not been told of only by force.
func (s Schema) Instruction() string {
	var b strings.Builder
	b.WriteString("Reply with one JSON object and nothing else. Its fields, in this order:\n")
	for _, f := range s {
		fmt.Fprintf(&b, "- %q: %s", f.Name, f.Kind)
		if len(f.Enum) > 0 {
			fmt.Fprintf(&b, ", one of %q", f.Enum)
		}
		if f.About != "" {
			b.WriteString(", " + f.About)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Parse reads a reply: the JSON object in it, whatever stands around it, with every field of its kind. Numbers are float64.
func (s Schema) Parse(reply string) (map[string]any, error) {
	object, err := firstObject(reply)
	if err != nil {
		return nil, err
	}
	for _, f := range s {
		v, ok := object[f.Name]
		if !ok {
			return nil, fmt.Errorf("the field %q is missing", f.Name)
		}
		if err := f.check(v); err != nil {
			return nil, fmt.Errorf("the field %q %w", f.Name, err)
		}
	}
	for name := range object {
		if !slices.ContainsFunc(s, func(f Field) bool { return f.Name == name }) {
			return nil, fmt.Errorf("the field %q is not asked for", name)
		}
	}
	return object, nil
}

func (f Field) check(v any) error {
	ok := false
	switch v := v.(type) {
	case string:
		if ok = f.Kind == Text; ok && len(f.Enum) > 0 && !slices.Contains(f.Enum, v) {
			return fmt.Errorf("is %q, not one of %q", v, f.Enum)
		}
	case float64:
		ok = f.Kind == Number || f.Kind == Integer && v == float64(int64(v))
	case bool:
		ok = f.Kind == Boolean
	}
	if !ok {
		return fmt.Errorf("is %s, not of type %s", mustJSON(v), f.Kind)
	}
	return nil
}

// firstObject finds the first JSON object in a text, which may stand in a code fence or between sentences.
func firstObject(text string) (map[string]any, error) {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 {
			return nil, errors.New("there is no complete JSON object")
		}
		at += i
		var object map[string]any
		if err := json.NewDecoder(strings.NewReader(text[at:])).Decode(&object); err == nil {
			return object, nil
		}
	}
}
