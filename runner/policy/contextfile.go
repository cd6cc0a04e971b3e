package policy

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"verge/internal/disk"
)

// contextState is what the next updates depend on. JSON keeps every bit of a finite number.
type contextState struct {
	Logits []float64 `json:"logits"`
	Adam   adam      `json:"adam"`
}

// Save implements Policy.
func (c *Context) Save(w io.Writer) error {
	return json.NewEncoder(w).Encode(contextState{c.logits, c.adam})
}

// Load implements Policy.
func (c *Context) Load(r io.Reader, updates int) error {
	var s contextState
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("policy: the state of a context policy: %w", err)
	}
	if n := len(c.logits); len(s.Logits) != n || len(s.Adam.M) != n || len(s.Adam.V) != n {
		return fmt.Errorf("policy: the state is of %d options, and the policy has %d: the domain's factors have changed", len(s.Logits), n)
	}
	c.logits, c.adam, c.step = s.Logits, s.Adam, updates
	return nil
}

// Marginal is what a policy has learned of one factor.
type Marginal struct {
	Name          string    `json:"name"`
	Options       []string  `json:"options"`       // "" says nothing of the factor
	Probabilities []float64 `json:"probabilities"` // of the options
}

// Marginals are what the policy asks for, by factor.
func (c *Context) Marginals() []Marginal {
	out := make([]Marginal, len(c.factors))
	for f, factor := range c.factors {
		out[f] = Marginal{factor.Name, factor.Options, c.probabilities(f)}
	}
	return out
}

// learned is a policy as Write writes it.
type learned struct {
	Kind      string     `json:"kind"`
	Updates   int        `json:"updates"`
	Factors   []Marginal `json:"factors"`
	Exemplars int        `json:"exemplars"` // that a prompt shows, where it shows any
	Archive   []string   `json:"archive"`   // that they are drawn from
}

// Write implements Policy: what the policy asks for, in JSON, policies/ARM.json.
func (c *Context) Write(dir, arm string) (string, error) {
	file := filepath.Join("policies", arm+".json")
	text, err := json.MarshalIndent(learned{"context", c.step, c.Marginals(), c.o.Exemplars, append([]string{}, c.o.Archive...)}, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
		return "", err
	}
	return file, disk.WriteFile(filepath.Join(dir, file), append(text, '\n'))
}
