package event

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
