package probes

import (
	"context"
	"fmt"
	"strings"

	"verge/domains/prompt"
)

// Kind is a family of probes.
type Kind string

// The kinds. An ensemble is made of the others, by Options.Members or NewEnsemble.
const (
	KindLinear    Kind = "linear"    // logistic regression on pooled states
	KindMLP       Kind = "mlp"       // one hidden layer on pooled states
	KindAttention Kind = "attention" // a learned query pools the tokens
	KindText      Kind = "text"      // the control: TF-IDF of the task's text, no activations
	KindEnsemble  Kind = "ensemble"
)

// Kinds lists the kinds that Train makes.
func Kinds() []Kind { return []Kind{KindLinear, KindMLP, KindAttention, KindText} }

// Probe predicts from a task, as a reference model or a text feature reads it, whether it is in band for a solver.
type Probe interface {
	// Score gives the logit of each prompt being in band: PROPEL's reward (arXiv 2606.18284). It is class-weighted, so that 0 is even
	// doubt whatever the share of tasks in band. r must be the model that the probe was trained on; a probe that reads no activations
	// does not use it.
	Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error)
	// Describe says what the probe is and what it reads.
	Describe() Description
}

// Description is what a probe is.
type Description struct {
	Kind        Kind          `json:"kind"`
	Setting     Setting       `json:"setting"` // of an ensemble: its first member's
	Parameters  int           `json:"parameters"`
	Activations bool          `json:"activations"` // whether any hidden state is read
	Embeddings  bool          `json:"embeddings"`  // whether any embedding is read
	Combine     Combination   `json:"combine,omitempty"`
	Members     []Description `json:"members,omitempty"`
}

// Reads says whether the probe reads a reference model at all.
func (d Description) Reads() bool { return d.Activations || d.Embeddings }

// on describes a probe of a kind that reads by a setting.
func (s Setting) on(k Kind, parameters int) Description {
	embeds := s.Pooling == Embedded
	return Description{Kind: k, Setting: s, Parameters: parameters, Activations: !embeds, Embeddings: embeds}
}

// String is one line for a person. Only that of a probe that reads hidden states says "activation probe".
func (d Description) String() string {
	switch d.Kind {
	case KindEnsemble:
		members := make([]string, len(d.Members))
		for i, m := range d.Members {
			members[i] = m.String()
		}
		return fmt.Sprintf("%s of %d probes: %s", d.Combine, len(d.Members), strings.Join(members, "; "))
	case KindText:
		return fmt.Sprintf("text-feature control (reads the task's text and no activations): TF-IDF of %d n-grams, L2 %g", d.Parameters-1, d.Setting.L2)
	}
	if d.Embeddings {
		return fmt.Sprintf("%s embedding probe (reads a server's embedding of the task and no activations), L2 %g", d.Kind, d.Setting.L2)
	}
	return fmt.Sprintf("%s activation probe: %s of %s, L2 %g", d.Kind, d.Setting.Pooling, d.Setting.place().where(), d.Setting.L2)
}
