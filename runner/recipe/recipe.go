// Package recipe holds the published systems, each as its paper's algorithm. The machinery they share is in package lab.
package recipe

import (
	"context"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/event"
	"verge/runner/lab"
)

// Bench is what a recipe works with: the profile, the models bound to its roles, and the lab.
type Bench struct {
	Profile   *profiles.Profile
	Lab       *lab.Lab
	Generator *local.Model
	Reference *local.Model // whose activations a probe reads: the generator's frozen base
	Transfer  *local.Model // a generator of another family
	// TransferParams are how Transfer is sampled.
	TransferParams backend.Params
	// Checkpoints keeps what arms have trained; nil: nothing is kept.
	Checkpoints Checkpoints

	fresh []*lab.Proposal // of the base policy, on which probes' rewards are compared
}

// Checkpoint is an arm's training after some updates.
type Checkpoint struct {
	Step  int    // updates made
	Spent int    // attempts that they cost
	Idle  int    // updates that had nothing to learn
	State []byte // of the policy
}

// Checkpoints keeps the last checkpoint of each arm.
type Checkpoints interface {
	Save(arm string, c Checkpoint) error
	// Load returns the arm's checkpoint, or nil, and takes the events up to it as having happened.
	Load(arm string) (*Checkpoint, error)
}

func (b *Bench) emit(events ...event.Event) error { return b.Lab.Emit(events...) }

// Recipe is one published system.
type Recipe interface {
	// Needs are the capabilities each role's binding has to have.
	Needs() map[string][]backend.Capability
	// Cost is a bound of what the profile's arms spend.
	Cost(p *profiles.Profile) Cost
	// Run carries out the profile's arms.
	Run(ctx context.Context, b *Bench) error
}

// All are the recipes by their names in profiles.
var All = map[string]Recipe{
	"propel": PROPEL{},
}
