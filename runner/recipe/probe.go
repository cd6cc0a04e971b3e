package recipe

import (
	"verge/probes"
	"verge/probes/metric"
	"verge/profiles"
	"verge/runner/event"
)

// probeOptions is what the profile asks of a probe; its "auto" settings are left to cross-validation.
func probeOptions(p *profiles.Profile) probes.Options {
	o := probes.Options{Kind: probes.Kind(p.Probe.Kind), L2: p.Probe.L2, Folds: p.Probe.Folds, Seed: p.Run.Seed}
	if p.Probe.Layer != profiles.AutoLayer {
		o.Layers = []int{int(p.Probe.Layer)}
	}
	if p.Probe.Pooling != "auto" {
		o.Poolings = []probes.Pooling{probes.Pooling(p.Probe.Pooling)}
	}
	return o
}

// probeTrained is the event of a trained probe; rewards are those of fresh proposals of the base policy, whose variance is RVP.
func probeTrained(kind string, r probes.Report, rewards []float64) event.ProbeTrained {
	quality := event.ProbeQuality{AUROC: r.Quality.AUROC, BalancedAccuracy: r.Quality.BalancedAccuracy, Brier: r.Quality.Brier, ECE: r.Quality.ECE}
	if v, ok := metric.RVP(rewards); ok {
		quality.RVP = &v
	}
	e := event.ProbeTrained{Probe: probeName, Kind: kind, Layer: r.Layer, Pooling: string(r.Pooling), L2: r.L2,
		Tasks: r.Tasks, InBand: r.InBand, Groups: r.Groups, Folds: r.Folds, Quality: quality}
	for _, d := range r.Deciles {
		e.Deciles = append(e.Deciles, event.Decile{Low: d.Low, High: d.High, Tasks: d.Count, InBand: d.Positive})
	}
	return e
}
