// Package recipe holds the published systems, each as its paper's algorithm. The machinery they share is in package lab.
package recipe

import (
	"context"

	"verge/domains"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/policy"
)

// Bench is what a recipe works with: the profile, the models bound to its roles, and the lab.
type Bench struct {
	Profile   *profiles.Profile
	Lab       *lab.Lab
	Generator lab.Generator
	Reference Reference
	Transfer  lab.Generator // of another family
	// Checkpoints keeps what arms have trained; nil: nothing is kept.
	Checkpoints Checkpoints
	// Artifacts keeps what the run trains; nil: nothing is kept.
	Artifacts Artifacts

	fresh   []*lab.Proposal // of the base policy, on which probes' rewards are compared
	archive []string        // statements of tasks in band, which prompts may show
}

// Reference is the frozen model that a probe reads rendered tasks with: the generator's base, or any other whose activations can be read.
type Reference struct {
	Reader  probes.Reader // nil where no probe of the run reads activations
	Dialect domains.Dialect
	Digest  string // of the model's weights: a kept probe names the model that it reads
}

// Checkpoint is an arm's training after some updates.
type Checkpoint struct {
	Step   int     // updates made
	Spent  int     // attempts that they cost
	Idle   int     // updates that had nothing to learn
	Gap    float64 // the largest policy.Update.Gap
	Untold int     // the sum of policy.Update.Untold
	State  []byte  // of the policy
	// Monitored are the tasks that the probe's ranking was last measured on.
	Monitored []Monitored
}

// Checkpoints keeps the last checkpoint of each arm.
type Checkpoints interface {
	Save(arm string, c Checkpoint) error
	// Load returns the arm's checkpoint, or nil, and takes the events up to it as having happened.
	Load(arm string) (*Checkpoint, error)
}

// Artifact is a file of something trained.
type Artifact struct {
	File   string // path from the run's folder, with slashes
	Digest string // sha256 of the file, hexadecimal
}

// Artifacts keeps what a run trains. Keeping the same again gives the same artifact.
type Artifacts interface {
	// KeepProbe keeps a probe that reads the model of the digest reference; "" of a probe that reads none.
	KeepProbe(p probes.Probe, reference string) (Artifact, error)
	KeepPolicy(arm string, p policy.Policy) (Artifact, error)
}

func (b *Bench) emit(events ...event.Event) error { return b.Lab.Emit(events...) }

// Recipe is one published system.
type Recipe interface {
	// Needs are the roles that the profile's arms use, and the capabilities that each one's binding has to have.
	Needs(p *profiles.Profile) map[string][]backend.Capability
	// Cost is a bound of what the profile's arms spend.
	Cost(p *profiles.Profile) Cost
	// Run carries out the profile's arms.
	Run(ctx context.Context, b *Bench) error
}

// All are the recipes by their names in profiles.
var All = map[string]Recipe{
	"propel": PROPEL{},
}
