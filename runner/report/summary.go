// Package report says what came of a run: as one JSON object for programs, as tables for people.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"verge/runner/event"
	"verge/runner/store"
)

// Summary is a run's figures. It marshals to the one object that --json prints; undefined figures are null.
type Summary struct {
	Run     string  `json:"run"`
	Profile string  `json:"profile"`
	Recipe  string  `json:"recipe"`
	Domain  string  `json:"domain"`
	Seed    uint64  `json:"seed"`
	Model   string  `json:"model"`  // the generator's name@digest, twelve digits of it
	WallS   float64 `json:"wall_s"` // seconds
	Arms    []Arm   `json:"arms"`
	// Warnings are what a reader of the figures has to know.
	Warnings []event.Warned `json:"warnings"`
	// Provenance is where the figures come from: this version, and every role's model with its digest and how it is served.
	Provenance event.Provenance `json:"provenance"`
	Served     *Served          `json:"served"` // null where no model is behind a server

	Dir      string     `json:"-"` // where the run is stored
	Attempts int        `json:"-"` // K
	Band     event.Band `json:"-"`
	Corpus   *Arm       `json:"-"` // what probes were trained on, nil when nothing was collected
	Ended    bool       `json:"-"` // the run went to its end, or failed
	Failed   string     `json:"-"` // why it failed
}

// Arm is the figures of an arm's evaluation proposals, and what they cost.
type Arm struct {
	Name             string              `json:"name"`
	Proposed         int                 `json:"proposed"`            // proposals that the generator made
	Valid            *float64            `json:"valid"`               // valid / proposed
	InBand           *float64            `json:"in_band"`             // in band / proposed
	InBandGivenValid *float64            `json:"in_band_given_valid"` // in band / valid
	SE               StandardErrors      `json:"se"`
	Histogram        []int               `json:"histogram"` // graded tasks by right attempts, 0 … K
	Ungraded         int                 `json:"ungraded"`  // valid tasks with fewer than K attempts right or wrong
	Errors           int                 `json:"errors"`    // proposals whose generation failed; not among proposed
	AttemptsTrain    int                 `json:"attempts_train"`
	AttemptsEval     int                 `json:"attempts_eval"`
	TopType          *float64            `json:"top_type"` // share of the most frequent type among valid tasks
	Types            int                 `json:"types"`    // different types among valid tasks
	Steps            int                 `json:"steps"`    // updates of the policy
	KL               *float64            `json:"kl"`       // nats a token, or a cue
	Entropy          *float64            `json:"entropy"`  // nats a token, or a cue
	PerCue           bool                `json:"per_cue"`  // they are of cues, and exact: the policy is one on context
	Probe            *event.ProbeQuality `json:"probe"`    // of the probe that rewarded it

	// PostOracle is in band / valid tasks that have an oracle's answer, exact or agreed on by models: PROPEL's figure conditional on oracle
	// agreement. On the embedded models every valid task has an exact answer, so that it equals InBandGivenValid.
	PostOracle *float64                 `json:"in_band_post_oracle"`
	Oracles    *Oracles                 `json:"oracles"` // null where no model was asked
	Start      *Start                   `json:"start"`   // of the arm's own untrained generator, where that is not the run's
	Diversity  *event.DiversityMeasured `json:"diversity"`
	Weakness   []event.ModeRate         `json:"weakness"`
	Silent     *int                     `json:"silent_attempts"` // graded attempts without any step, which are in no mode's rate
	// Overlap is the share of the different valid tasks evaluated that were in the corpus which probes were trained on; null without a corpus.
	Overlap   *float64              `json:"corpus_overlap"`
	Monitored *event.ProbeMonitored `json:"probe_on_policy"` // the last measurement of its probe's ranking during training
	Training  *Training             `json:"training"`
	AsksFor   []event.FactorLearned `json:"asks_for"` // of a context policy, at the end of its training

	valid, inBand, inBandGivenValid event.Rate
	base                            *event.Rate // in band, of what the arm is compared with
}

// Start is the figures of the generator that an arm started from.
type Start struct {
	Proposed         int      `json:"proposed"`
	Valid            *float64 `json:"valid"`
	InBand           *float64 `json:"in_band"`
	InBandGivenValid *float64 `json:"in_band_given_valid"`
}

// StandardErrors are those of an arm's rates, with the task as the unit: see event.Rate.SE.
type StandardErrors struct {
	Valid            *float64 `json:"valid"`
	InBand           *float64 `json:"in_band"`
	InBandGivenValid *float64 `json:"in_band_given_valid"`
}

// Source is what a summary says of a run that its events do not.
type Source struct {
	Run  string
	Dir  string
	Wall time.Duration
}

// Of summarises a stored run.
func Of(r *store.Reader) (Summary, error) {
	info, err := r.Info()
	if err != nil {
		return Summary{}, err
	}
	wall, err := r.Wall()
	if err != nil {
		return Summary{}, err
	}
	fold, err := r.Load()
	if err != nil {
		return Summary{}, err
	}
	return New(Source{Run: info.Run, Dir: info.Dir, Wall: wall}, fold.Snapshot())
}

// New summarises a run's state. A run without its first event, or whose provenance names no generator, is an error.
func New(from Source, s *event.State) (Summary, error) {
	if s.Run == nil {
		return Summary{}, fmt.Errorf("run %s has no events: it was interrupted before it started, so start it again", from.Run)
	}
	model, err := generator(s.Run.Provenance)
	if err != nil {
		return Summary{}, fmt.Errorf("run %s: %w", from.Run, err)
	}
	sum := Summary{
		Run: from.Run, Profile: s.Run.Profile, Recipe: s.Run.Recipe, Domain: s.Run.Domain, Seed: s.Run.Seed,
		Model: model, WallS: math.Round(from.Wall.Seconds()*1000) / 1000, Arms: []Arm{},
		Dir: from.Dir, Attempts: s.Run.Attempts, Band: s.Band(), Warnings: append([]event.Warned{}, s.Warnings...),
		Provenance: s.Run.Provenance, Served: served(s.Backend),
	}
	if s.Ended != nil {
		sum.Ended, sum.Failed = true, s.Ended.Failed
	}
	if s.Corpus.Proposed+s.Corpus.Errors > 0 {
		corpus := figures("corpus", s.Corpus)
		corpus.AttemptsTrain = s.Corpus.Attempts
		sum.Corpus = &corpus
	}
	for _, a := range s.Arms {
		sum.Arms = append(sum.Arms, summariseArm(s, a))
	}
	return sum, nil
}

// generator is the generator's model as name@digest.
func generator(p event.Provenance) (string, error) {
	const digits = 12
	for _, m := range p.Models {
		if m.Role != "generator" {
			continue
		}
		digest := strings.TrimPrefix(m.Digest, "sha256:")
		if digest == "" { // a remote endpoint need not tell
			return m.Name, nil
		}
		return m.Name + "@" + digest[:min(digits, len(digest))], nil
	}
	return "", fmt.Errorf("RunStarted.provenance.models names no generator")
}

func summariseArm(s *event.State, a *event.Arm) Arm {
	arm := figures(a.Name, a.Eval)
	arm.AttemptsTrain, arm.AttemptsEval = a.AttemptsTrain(), a.AttemptsEval()
	if n := len(a.Curve); n > 0 {
		arm.Steps = a.Curve[n-1].Step
	}
	if m := a.Measured; m != nil {
		arm.Steps, arm.KL, arm.Entropy, arm.PerCue = m.Steps, &m.KL, &m.Entropy, m.PerCue
	}
	if e := a.Evaluated; e != nil {
		if e.Probe != "" {
			arm.Probe = &s.Probe(e.Probe).Quality
		}
		if e.Overlap != nil && e.Overlap.Tasks > 0 {
			share := float64(e.Overlap.InCorpus) / float64(e.Overlap.Tasks)
			arm.Overlap = &share
		}
	}
	arm.Training, arm.AsksFor = training(a), asksFor(a)
	if n := len(a.Monitored); n > 0 {
		arm.Monitored = &a.Monitored[n-1]
	}
	arm.Diversity = a.Diversity
	if a.Weakness != nil {
		arm.Weakness = a.Weakness.Modes
		if a.Weakness.Attempts > 0 {
			arm.Silent = &a.Weakness.Silent
		}
	}
	if a.Start.Proposed > 0 {
		start := figures(a.Name, a.Start)
		arm.Start = &Start{start.Proposed, start.Valid, start.InBand, start.InBandGivenValid}
		arm.base = &start.inBand
	}
	return arm
}

// figures are those of a tally alone.
func figures(name string, t *event.Tally) Arm {
	arm := Arm{
		Name: name, Proposed: t.Proposed, Histogram: t.Histogram, Ungraded: t.Ungraded(), Errors: t.Errors, Types: len(t.Types),
		TopType: defined(t.TopType()),
		Oracles: oraclesOf(t),
		valid:   t.ValidRate(), inBand: t.InBandRate(), inBandGivenValid: t.InBandGivenValid(),
	}
	if t.Oracled > 0 && t.Settled() {
		share := float64(t.InBandOracled) / float64(t.Oracled)
		arm.PostOracle = &share
	}
	arm.Valid, arm.SE.Valid = defined(arm.valid.Value()), defined(arm.valid.SE())
	arm.InBand, arm.SE.InBand = defined(arm.inBand.Value()), defined(arm.inBand.SE())
	arm.InBandGivenValid, arm.SE.InBandGivenValid = defined(arm.inBandGivenValid.Value()), defined(arm.inBandGivenValid.SE())
	return arm
}

// defined is nil for an undefined figure, as JSON wants it.
func defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

// WriteJSON writes a summary as one line of JSON.
func WriteJSON(w io.Writer, s Summary) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(s)
}

// base is the arm that the others are compared with, or nil: the one named base.
func (s Summary) base() *Arm {
	for i := range s.Arms {
		if s.Arms[i].Name == "base" {
			return &s.Arms[i]
		}
	}
	return nil
}

// Headline is the run in a line, such as "propel in band 21.4 % (base 9.8 %)": the arm named after the recipe, or else
// the first that is not the base, beside the base.
func (s Summary) Headline() string {
	main, base := s.main(), s.base()
	switch {
	case main != nil && base != nil:
		return fmt.Sprintf("%s in band %s (base %s)", main.Name, percent(main.InBand), percent(base.InBand))
	case main != nil:
		return fmt.Sprintf("%s in band %s", main.Name, percent(main.InBand))
	case base != nil:
		return fmt.Sprintf("base in band %s", percent(base.InBand))
	}
	return ""
}

// Figure is the figure of the headline, which runs are ordered by: the share in band of the arm that it begins with; nil where that has none.
func (s Summary) Figure() *float64 {
	for _, arm := range []*Arm{s.main(), s.base()} {
		if arm != nil {
			return arm.InBand
		}
	}
	return nil
}

// main is the arm that a headline is about: the one named after the recipe, or else the first that is not the base, or nil.
func (s Summary) main() (main *Arm) {
	for i, a := range s.Arms {
		if a.Name == s.Recipe {
			return &s.Arms[i]
		}
		if main == nil && a.Name != "base" {
			main = &s.Arms[i]
		}
	}
	return main
}

func percent(p *float64) string {
	if p == nil {
		return "undefined"
	}
	return fmt.Sprintf("%.1f %%", 100**p)
}
