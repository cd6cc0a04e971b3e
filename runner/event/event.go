// Package event lists everything that can happen in a run, as types, and folds a stream of them into what is shown.
//
// Events carry no clock readings: two runs of one profile and seed on the engine backend give the same events. Times,
// throughput and progress are kept beside them.
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
	Role    string `json:"role"`
	Backend string `json:"backend"`
	Name    string `json:"name"`
	Digest  string `json:"digest"`
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
	Episode domains.Episode `json:"episode"`
	Tokens  int             `json:"tokens"`            // sampled, over all turns
	Sampled []Sampled       `json:"sampled,omitempty"` // by turn
	Error   string          `json:"error,omitempty"`
}

// Sampled is a turn as a policy learns from it.
type Sampled struct {
	Tokens   []int32   `json:"tokens"`
	Logprobs []float32 `json:"logprobs"` // of Tokens, at temperature 1
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

// Decile is a tenth of the corpus by probe score.
type Decile struct {
	Low    float64 `json:"low"` // scores, as logits
	High   float64 `json:"high"`
	Tasks  int     `json:"tasks"`
	InBand int     `json:"in_band"`
}

// ProbeQuality is how well a probe's held-out scores rank and predict "in band". Undefined figures are null.
type ProbeQuality struct {
	AUROC            *float64 `json:"auroc"`
	AUROCLow         *float64 `json:"auroc_low"` // 95 % interval, bootstrap over groups of near-duplicates
	AUROCHigh        *float64 `json:"auroc_high"`
	BalancedAccuracy *float64 `json:"balanced_accuracy"` // at the class-weighted threshold, logit 0
	Brier            *float64 `json:"brier"`             // without calibration
	ECE              *float64 `json:"ece"`               // likewise, ten bins
	RVP              *float64 `json:"rvp"`               // variance of the reward over samples of the base policy
	// Calibrations are of the held-out scores' probabilities as they are, and after a calibration that was fitted to the other folds.
	Calibrations []Calibration `json:"calibrations"`
}

// The calibrations of a probe.
const (
	Uncalibrated = "none"
	Isotonic     = "isotonic"
	Platt        = "platt"
)

// Calibration is how well probabilities predict "in band". Undefined figures are null.
type Calibration struct {
	Method string        `json:"method"` // Uncalibrated, Isotonic or Platt
	Brier  *float64      `json:"brier"`
	ECE    *float64      `json:"ece"`
	Bins   []Reliability `json:"bins"` // of ten of equal width those that hold tasks, ascending: a reliability diagram
}

// Reliability is the tasks of an interval of probabilities.
type Reliability struct {
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Tasks     int     `json:"tasks"`
	InBand    int     `json:"in_band"`
	Predicted float64 `json:"predicted"` // mean probability
}

// ProbeTrained closes the training of a probe.
type ProbeTrained struct {
	Probe   string       `json:"probe"`
	Kind    string       `json:"kind"`
	Layer   int          `json:"layer"` // 0: embeddings, n: after block n
	Pooling string       `json:"pooling"`
	L2      float64      `json:"l2"`
	Tasks   int          `json:"tasks"` // valid and fully graded
	InBand  int          `json:"in_band"`
	Members int          `json:"members"` // of an ensemble; 1: a single probe
	Reads   string       `json:"reads"`   // what it reads, in words: a text probe reads no activations
	Groups  int          `json:"groups"`  // groups of near-duplicates, each in one fold
	Folds   int          `json:"folds"`
	Quality ProbeQuality `json:"quality"`
	Deciles []Decile     `json:"deciles"`
	File    string       `json:"file,omitempty"`   // that holds it, from the run's folder; "" where it was not kept
	Digest  string       `json:"digest,omitempty"` // sha256 of the file
}

// ProbeScored is a probe's reading of one valid proposal.
type ProbeScored struct {
	Key   Key     `json:"key"`
	Probe string  `json:"probe"`
	Logit float64 `json:"logit"`
	// Spread is the standard deviation over the members' logits of an ensemble; null of a single probe.
	Spread *float64 `json:"spread,omitempty"`
}

// ProbeMonitored is how well a probe ranks what the policy proposes now. A few tasks of an update's batch were attempted to measure it, which
// is billed to the arm's training; nothing is chosen by it. Undefined figures are null.
type ProbeMonitored struct {
	Arm       string   `json:"arm"`
	Step      int      `json:"step"`
	Probe     string   `json:"probe"`
	Tasks     int      `json:"tasks"`  // attempted for it, all attempts graded
	Recent    int      `json:"recent"` // tasks that the figures are of: these and those of the last few times
	InBand    int      `json:"in_band"`
	AUROC     *float64 `json:"auroc"`
	AUROCLow  *float64 `json:"auroc_low"` // 95 % interval, as in ProbeQuality
	AUROCHigh *float64 `json:"auroc_high"`
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
	KL         float64 `json:"kl"`         // k3 to the frozen base, mean over sampled tokens, nats
	Entropy    float64 `json:"entropy"`    // of the policy's next-token distribution, mean over sampled tokens, nats
	Length     float64 `json:"length"`     // sampled tokens a proposal, mean
	GradNorm   float64 `json:"grad_norm"`  // before clipping
	Rate       float64 `json:"rate"`       // learning rate
	Attempts   int     `json:"attempts"`   // made at the update's proposals: for rewards, for another probe, to monitor one
}

// PolicyKept says where an arm's policy is, as its training left it.
type PolicyKept struct {
	Arm    string `json:"arm"`
	Kind   string `json:"kind"`   // "lora": a GGUF adapter of the arm's generator
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
func (PolicyUpdated) Name() string     { return "PolicyUpdated" }
func (PolicyKept) Name() string        { return "PolicyKept" }
func (Measured) Name() string          { return "Measured" }
func (Evaluated) Name() string         { return "Evaluated" }
func (DiversityMeasured) Name() string { return "DiversityMeasured" }
func (WeaknessUpdated) Name() string   { return "WeaknessUpdated" }
func (Warned) Name() string            { return "Warned" }
func (RunEnded) Name() string          { return "RunEnded" }
