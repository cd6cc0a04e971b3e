// Package event lists everything that can happen in a run, as types, and folds a stream of them into what is shown.
//
// Events carry no clock readings: two runs of one profile and seed on the engine backend give the same events. Times,
// throughput and progress are kept beside them. BackendNoticed is the exception, which no engine makes.
package event

import (
	"fmt"

	"verge/domains"
)

// Event is one thing that happened in a run.
type Event interface {
	// Name is the event's name in the store.
	Name() string
}

// Stage is a part of a run in which proposals are made.
type Stage string

// The stages of a key.
const (
	Corpus Stage = "corpus" // collected once, labelled by attempts, to train a probe
	Train  Stage = "train"  // proposals that the policy is updated on
	Probe  Stage = "probe"  // of the base policy, to measure the variance of a probe's reward
	Start  Stage = "start"  // of an arm's untrained generator, where that is not the run's: what the arm is compared with
	Choice Stage = "choice" // of which the best by a probe are evaluated
	Eval   Stage = "eval"   // fresh proposals that are only measured
)

// Key names a proposal, unique in a run: with an attempt's number it is what a resumed run looks up before it samples.
type Key struct {
	Arm      string `json:"arm"`
	Stage    Stage  `json:"stage"`
	Step     int    `json:"step"`     // policy updates made before the proposal
	Proposal int    `json:"proposal"` // from 0 within arm, stage and step
}

// String is arm/stage/step/proposal, as errors and logs write it.
func (k Key) String() string {
	return fmt.Sprintf("%s/%s/%d/%d", k.Arm, k.Stage, k.Step, k.Proposal)
}

// Model is a model of the run and its role.
type Model struct {
	Role    string  `json:"role"`
	Backend string  `json:"backend"`
	Name    string  `json:"name"`
	Digest  string  `json:"digest"`
	Served  *Served `json:"served,omitempty"` // nil of a model that runs in the process
}

// Served is what replies of a model behind a server depend on besides its digest and the sampling parameters.
type Served struct {
	Server       string `json:"server"`        // the server's version
	Tag          string `json:"tag,omitempty"` // what the server calls a model that the run sent it; "": as the run does
	Context      int    `json:"context"`       // tokens that prompt and reply share, as asked for
	Threads      int    `json:"threads,omitempty"`
	Think        bool   `json:"think"`
	ThinkLevel   string `json:"think_level,omitempty"` // of a model that thinks at levels
	Size         string `json:"parameter_size"`
	Quantization string `json:"quantization"`
	Template     string `json:"template"`   // sha256 of the template for chats
	Parameters   string `json:"parameters"` // in the model's own file; requests override all but its stop words
}

// Provenance is what a run has to say of where its numbers come from.
type Provenance struct {
	Version string   `json:"version"` // of verge
	Go      string   `json:"go"`
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	CPU     []string `json:"cpu"` // instruction sets the kernels use
	Models  []Model  `json:"models"`
	// Deterministic says that seed, profile, binary and CPU feature set fix every event; otherwise the run is only seeded.
	Deterministic bool `json:"deterministic"`
}

// RunStarted opens a run.
type RunStarted struct {
	Profile    string     `json:"profile"`
	Resolved   string     `json:"resolved"` // the whole profile as TOML, after extends and --set
	Recipe     string     `json:"recipe"`
	Domain     string     `json:"domain"`
	Seed       uint64     `json:"seed"`
	Arms       []string   `json:"arms"`
	Attempts   int        `json:"attempts"` // K
	Low        float64    `json:"low"`      // the band, inclusive
	High       float64    `json:"high"`
	Fewest     *int       `json:"fewest,omitempty"` // right attempts of K that the band stands for; null of runs that did not record them
	Most       *int       `json:"most,omitempty"`
	Provenance Provenance `json:"provenance"`
}

// StageStarted says that an arm begins a stage.
type StageStarted struct {
	Arm   string `json:"arm"`
	Stage Stage  `json:"stage"`
	Total int    `json:"total"` // proposals, or for Train steps
}

// TaskProposed is a proposal as the generator made it.
type TaskProposed struct {
	Key     Key             `json:"key"`
	Cue     domains.Cue     `json:"cue,omitzero"` // what its prompt said, of a context policy
	Episode domains.Episode `json:"episode"`
	Tokens  int             `json:"tokens"`            // sampled, over all turns
	Sampled []Sampled       `json:"sampled,omitempty"` // by turn
	Error   string          `json:"error,omitempty"`
}

// Sampled is a turn as a policy learns from it.
type Sampled struct {
	Tokens   []int32   `json:"tokens"`
	Logprobs []float32 `json:"logprobs"`        // of Tokens, at temperature 1
	Count    int       `json:"count,omitempty"` // of tokens, where Tokens does not name them
	Stop     string    `json:"stop"`
}

// TaskValidated is the verdict of the predicate W on a proposal.
type TaskValidated struct {
	Key      Key              `json:"key"`
	Task     domains.Task     `json:"task"`
	Validity domains.Validity `json:"validity"`
}

// AttemptGraded is one attempt of the solver.
type AttemptGraded struct {
	Key     Key             `json:"key"`
	Attempt int             `json:"attempt"` // 0 … K−1
	Episode domains.Episode `json:"episode"`
	Tokens  int             `json:"tokens"`
	Grading domains.Grading `json:"grading"`
	Steps   []domains.Step  `json:"steps,omitempty"`
}

// PolicyUpdated is one update of a policy.
type PolicyUpdated struct {
	Arm        string  `json:"arm"`
	Step       int     `json:"step"` // from 1
	Proposals  int     `json:"proposals"`
	Valid      int     `json:"valid"`
	Reward     float64 `json:"reward"`    // mean over scorable proposals
	RewardSD   float64 `json:"reward_sd"` // over the same
	Groups     int     `json:"groups"`
	Dead       int     `json:"dead"`       // groups without variance or with one member
	Unscorable int     `json:"unscorable"` // proposals without a reward
	KL         float64 `json:"kl"`         // k3 to the frozen base, mean over sampled tokens, nats; PerCue: see there
	Entropy    float64 `json:"entropy"`    // of the policy's next-token distribution, mean over sampled tokens, nats; PerCue: see there
	Length     float64 `json:"length"`     // sampled tokens a proposal, mean
	GradNorm   float64 `json:"grad_norm"`  // before clipping
	Rate       float64 `json:"rate"`       // learning rate
	Attempts   int     `json:"attempts"`   // made at the update's proposals: for rewards, for another probe, to monitor one
	// Gap is how far the log-probabilities of a server that sampled the proposals are from those of the policy, mean of the absolute differences
	// of sampled tokens, nats; nil: no server told any.
	Gap *float64 `json:"gap,omitempty"`
	// PerCue says that KL and entropy are those of the distribution of cues, exact, in nats a cue: the policy is one on context.
	PerCue bool `json:"per_cue,omitempty"`
}

// PolicyKept says where an arm's policy is, as its training left it.
type PolicyKept struct {
	Arm    string `json:"arm"`
	Kind   string `json:"kind"`   // "lora": a GGUF adapter of the arm's generator; "context": what its prompts say, in JSON
	Steps  int    `json:"steps"`  // updates made
	File   string `json:"file"`   // from the run's folder
	Digest string `json:"digest"` // sha256 of the file
}

// Measured is what a policy's evaluation sample says of its distribution.
type Measured struct {
	Arm     string  `json:"arm"`
	Steps   int     `json:"steps"`   // updates made
	KL      float64 `json:"kl"`      // as in PolicyUpdated, on the evaluation proposals
	Entropy float64 `json:"entropy"` // likewise
	PerCue  bool    `json:"per_cue,omitempty"`
}

// Evaluated closes an arm: its evaluation proposals are all validated and attempted.
type Evaluated struct {
	Arm   string `json:"arm"`
	Probe string `json:"probe,omitempty"` // the probe that rewarded it
	// CorpusAttempts is what the arm's training cost in attempts where they were not its own: the corpus of its probe.
	CorpusAttempts int `json:"corpus_attempts"`
	// Overlap is nil where the run collected no corpus.
	Overlap *Overlap `json:"overlap,omitempty"`
}

// Overlap is how much of what an arm is measured on was in the corpus that probes were trained on.
type Overlap struct {
	Tasks    int `json:"tasks"`     // different valid tasks
	InCorpus int `json:"in_corpus"` // of them
}

// DiversityMeasured is the variety of an arm's valid tasks, of one update's or of the evaluation's. Undefined figures are null.
type DiversityMeasured struct {
	Arm            string   `json:"arm"`
	Stage          Stage    `json:"stage"`
	Step           int      `json:"step"`
	Statements     int      `json:"statements"`
	Sampled        int      `json:"sampled"` // the first three figures are of these, and depend on their number
	SelfBLEU3      *float64 `json:"self_bleu_3"`
	Distinct3      *float64 `json:"distinct_3"`
	Vendi          *float64 `json:"vendi"`
	VendiFeatures  string   `json:"vendi_features"` // what its similarities are of
	TopType        *float64 `json:"top_type"`
	EffectiveTypes *float64 `json:"effective_types"` // exp of the types' entropy
}

// ModeRate is how often a solver fails at one mode of step.
type ModeRate struct {
	Mode   string  `json:"mode"`
	Steps  int     `json:"steps"`
	Failed int     `json:"failed"`
	Tasks  int     `json:"tasks"` // different tasks the steps belong to
	Rate   float64 `json:"rate"`
	Low    float64 `json:"low"` // 95 % interval with the task as the unit, also of few tasks
	High   float64 `json:"high"`
}

// WeaknessUpdated is what a solver failed at in an arm's evaluation. A mode that was not exercised is not listed.
type WeaknessUpdated struct {
	Arm   string     `json:"arm"`
	Modes []ModeRate `json:"modes"`
	// Attempts are the graded ones that it is of; 0 of runs that did not record them. Silent are those of them without any step, such as
	// empty replies, which are in no mode's rate.
	Attempts int `json:"attempts"`
	Silent   int `json:"silent"`
}

// Warned is something a reader of the results has to know.
type Warned struct {
	Arm  string `json:"arm,omitempty"`
	Code string `json:"code"` // stable, for filtering
	Text string `json:"text"`
}

// RunEnded closes a run that went to its end or failed. An interrupted run has none.
type RunEnded struct {
	Failed string `json:"failed,omitempty"` // the error, when it failed
}

func (RunStarted) Name() string        { return "RunStarted" }
func (StageStarted) Name() string      { return "StageStarted" }
func (TaskProposed) Name() string      { return "TaskProposed" }
func (TaskValidated) Name() string     { return "TaskValidated" }
func (AttemptGraded) Name() string     { return "AttemptGraded" }
func (ProbeTrained) Name() string      { return "ProbeTrained" }
func (ProbeScored) Name() string       { return "ProbeScored" }
func (ProbeMonitored) Name() string    { return "ProbeMonitored" }
func (OracleAnswered) Name() string    { return "OracleAnswered" }
func (PolicyUpdated) Name() string     { return "PolicyUpdated" }
func (ContextUpdated) Name() string    { return "ContextUpdated" }
func (PolicyKept) Name() string        { return "PolicyKept" }
func (Measured) Name() string          { return "Measured" }
func (Evaluated) Name() string         { return "Evaluated" }
func (DiversityMeasured) Name() string { return "DiversityMeasured" }
func (WeaknessUpdated) Name() string   { return "WeaknessUpdated" }
func (BackendNoticed) Name() string    { return "BackendNoticed" }
func (Warned) Name() string            { return "Warned" }
func (RunEnded) Name() string          { return "RunEnded" }
