package probes

import (
	"fmt"

	"verge/probes/metric"
)

// reliabilityBins is the number of bins of reliability and of the expected calibration error, everywhere in Verge.
const reliabilityBins = 10

// Calibration is how well probabilities of out-of-fold logits predict "in band". Those of a fold come from a calibration that was fitted to
// the logits of the other folds.
type Calibration struct {
	Brier         *float64     `json:"brier"`
	ECE           *float64     `json:"ece"`
	Bins          []metric.Bin `json:"bins"`
	Probabilities []float64    `json:"probabilities"`
}

func newCalibration(p []float64, inBand []bool) Calibration {
	bins := metric.Reliability(p, inBand, reliabilityBins)
	return Calibration{Brier: defined(metric.Brier(p, inBand)), ECE: defined(metric.ECE(bins)), Bins: bins, Probabilities: p}
}

// calibrate fills the calibrations from OutOfFold and the probabilities of Raw.
func (r *Report) calibrate(inBand []bool) error {
	isotonic, platt := make([]float64, len(inBand)), make([]float64, len(inBand))
	for k := range r.Folds {
		var logits []float64
		var labels []bool
		for i, fold := range r.Fold {
			if fold != k {
				logits, labels = append(logits, r.OutOfFold[i]), append(labels, inBand[i])
			}
		}
		steps := FitIsotonic(logits, labels)
		curve, err := FitPlatt(logits, labels)
		if err != nil {
			return fmt.Errorf("without fold %d: %w", k, err)
		}
		for i, fold := range r.Fold {
			if fold == k {
				isotonic[i], platt[i] = steps.Probability(r.OutOfFold[i]), curve.Probability(r.OutOfFold[i])
			}
		}
	}
	r.Raw, r.Isotonic, r.Platt = newCalibration(r.Raw.Probabilities, inBand), newCalibration(isotonic, inBand), newCalibration(platt, inBand)
	return nil
}
