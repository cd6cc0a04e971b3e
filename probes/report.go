package probes

import (
	"math"

	"verge/probes/metric"
)

// bootstrapDraws is enough for the ends of a 95 % interval to hold still in the second digit.
const bootstrapDraws = 1000

// Quality is how well the out-of-fold logits rank "in band". Undefined figures are nil.
type Quality struct {
	AUROC            *float64 `json:"auroc"`
	AUROCLow         *float64 `json:"auroc_low"` // 95 % interval: see widen
	AUROCHigh        *float64 `json:"auroc_high"`
	BalancedAccuracy *float64 `json:"balanced_accuracy"` // at logit 0, where the class-weighted probe is in doubt
}

// Report is what the training of a probe has to say for itself.
//
// Quality, Deciles, OutOfFold and the calibrations are from nested cross-validation: the logit of a task comes from a probe that was neither
// trained nor chosen (layer, pooling, L2) with the task's fold, so that these figures are not flattered by the choice. The figures in
// Candidates are those the choice was made by, and are.
type Report struct {
	Kind Kind `json:"kind"`
	Setting
	Tasks      int             `json:"tasks"`
	InBand     int             `json:"in_band"`
	Groups     int             `json:"groups"` // of near-duplicates, each in one fold
	Folds      int             `json:"folds"`
	Quality    Quality         `json:"quality"`
	Deciles    []metric.Decile `json:"deciles"`
	Candidates []Candidate     `json:"candidates"`        // every layer and pooling at the middle L2, then the chosen ones at the others
	Outer      []Setting       `json:"outer"`             // chosen without that fold; where they differ, the choice is unstable
	Members    []Setting       `json:"members,omitempty"` // of an ensemble
	Fold       []int           `json:"fold"`              // of each example
	OutOfFold  []float64       `json:"out_of_fold"`
	// Raw is of the out-of-fold logits without the class weights. Weighting trains for even odds, which shifts the intercept; adding the log
	// odds of "in band" among the training tasks shifts it back (King and Zeng, 2001, eq. 7).
	Raw Calibration `json:"raw"`
	// Isotonic and Platt are calibrations beside it; PROPEL's reward is the logit, which none of them changes.
	Isotonic Calibration `json:"isotonic"`
	Platt    Calibration `json:"platt"`
}

// measure fills Quality, Deciles and the calibrations from OutOfFold and the probabilities of Raw.
func (r *Report) measure(examples []Example, seed uint64) error {
	inBand, group := make([]bool, len(examples)), make([]string, len(examples))
	for i, e := range examples {
		inBand[i], group[i] = e.InBand, e.Group
	}
	q := &r.Quality
	q.AUROC = defined(metric.AUROC(r.OutOfFold, inBand))
	if low, high, ok := metric.AUROCInterval(r.OutOfFold, inBand, group, bootstrapDraws, seed); ok {
		low, high = widen(*q.AUROC, low, high, r.Folds)
		q.AUROCLow, q.AUROCHigh = &low, &high
	}
	q.BalancedAccuracy = defined(metric.BalancedAccuracy(r.OutOfFold, inBand, 0))
	r.Deciles = metric.Deciles(r.OutOfFold, inBand)
	return r.calibrate(inBand)
}

// widen makes the bootstrap interval of a cross-validated figure as wide as it should be. The bootstrap over groups takes the logits as given,
// but the probes that gave them share most of their training tasks and are wrong together: on shuffled labels its 95 % intervals hold 0.5
// only about 84 times in 100. Nadeau and Bengio (2003) correct the variance of a mean over k splits from 1/k to 1/k + tested/trained tasks,
// which is 1/k + 1/(k−1) for folds: the standard error is √(1 + k/(k−1)) times as large.
func widen(figure, low, high float64, folds int) (float64, float64) {
	k := float64(folds)
	by := math.Sqrt(1 + k/(k-1))
	return max(0, figure-by*(figure-low)), min(1, figure+by*(high-figure))
}

func defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}
