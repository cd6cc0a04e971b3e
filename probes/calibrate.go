package probes

import (
	"fmt"

	"verge/probes/metric"
)

// Calibration is how well probabilities from calibrated out-of-fold logits predict "in band". Those of a fold come from a calibration that
// was fitted to the logits of the other folds.
type Calibration struct {
	Brier         *float64  `json:"brier"`
	ECE           *float64  `json:"ece"` // ten bins
	Probabilities []float64 `json:"probabilities"`
}

// calibrate fills Isotonic and Platt from OutOfFold.
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
	r.Isotonic, r.Platt = newCalibration(isotonic, inBand), newCalibration(platt, inBand)
	return nil
}

func newCalibration(p []float64, inBand []bool) Calibration {
	return Calibration{Brier: defined(metric.Brier(p, inBand)), ECE: defined(metric.ECE(p, inBand, eceBins)), Probabilities: p}
}
