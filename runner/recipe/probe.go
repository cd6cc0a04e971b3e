package recipe

import (
	"context"
	"math"
	"slices"

	"verge/probes"
	"verge/probes/metric"
	"verge/profiles"
	"verge/runner/event"
	"verge/runner/lab"
)

// The probes of a run, by their names in events.
const (
	inBandProbe   = "in-band"   // the paper's
	ensembleProbe = "ensemble"  // the least of several
	textProbe     = "text"      // reads no activations
	evolvedProbe  = "coevolved" // trained again on what the policy proposed; scores under its name are the least of it and the original
)

// probeOf is the probe that each arm is rewarded by, to begin with.
var probeOf = map[string]string{
	Propel: inBandProbe, WCO: ensembleProbe, Coevolve: inBandProbe, ColdTransfer: inBandProbe, BestOfN: inBandProbe, TextProbe: textProbe,
}

// probeOptions is what the profile asks of a probe; its "auto" settings are left to cross-validation.
func (b *Bench) probeOptions(name string) probes.Options {
	p := b.Profile.Probe
	o := probes.Options{Kind: probes.Kind(p.Kind), L2: p.L2, Folds: p.Folds, Seed: b.Profile.Run.Seed}
	if name == textProbe {
		o.Kind = probes.KindText
		return o
	}
	if p.Layer >= 0 {
		o.Layers = []int{int(p.Layer)}
	}
	o.Concat = p.Layer == profiles.AllLayers
	if p.Pooling != "auto" {
		o.Poolings = []probes.Pooling{probes.Pooling(p.Pooling)}
	}
	if name == ensembleProbe {
		o.Members, o.Combine = p.Ensemble, probes.Min
	}
	return o
}

// probe trains a probe on the corpus, once, and measures its reward's variance on fresh proposals.
func (e *experiment) probe(ctx context.Context, name string) (probes.Probe, error) {
	if p, ok := e.probes[name]; ok {
		return p, nil
	}
	p, err := e.trainProbe(ctx, name, e.examples(e.corpus))
	if err != nil {
		return nil, err
	}
	base, err := e.sample(ctx)
	if err != nil {
		return nil, err
	}
	// The scores of the base policy's tasks are events too: those of a trained policy's are shown beside them.
	if _, err := e.probeReward(name, p)(ctx, base); err != nil {
		return nil, err
	}
	e.probes[name] = p
	return p, nil
}

// examples are the valid and fully graded of the proposals, labelled.
func (b *Bench) examples(proposals []*lab.Proposal) []probes.Example {
	var out []probes.Example
	for _, q := range proposals {
		if inBand, graded := b.labelled(q); q.Valid() && graded {
			out = append(out, probes.Example{
				Prompt: b.Lab.Domain.Reading(b.Reference.Dialect, q.Task),
				Group:  b.Lab.Domain.Skeleton(q.Task),
				InBand: inBand,
			})
		}
	}
	return out
}

func (b *Bench) trainProbe(ctx context.Context, name string, examples []probes.Example) (probes.Probe, error) {
	l := b.Lab
	l.Meter.Begin("probe", name, lab.Steps, 1)
	probe, report, err := probes.Train(ctx, b.Reference.Reader, examples, b.probeOptions(name))
	if err != nil {
		return nil, err
	}
	l.Meter.Step()
	base, err := b.sample(ctx)
	if err != nil {
		return nil, err
	}
	rewards, _, err := b.score(ctx, probe, base)
	if err != nil {
		return nil, err
	}
	e := probeTrained(name, probe, report, rewards)
	if b.Artifacts != nil {
		reference := ""
		if probe.Describe().Reads() {
			reference = b.Reference.Digest
		}
		kept, err := b.Artifacts.KeepProbe(probe, reference)
		if err != nil {
			return nil, err
		}
		e.File, e.Digest = kept.File, kept.Digest
	}
	return probe, b.emit(e)
}

// sample is the proposals of the base policy that RVP is taken over, made once.
func (b *Bench) sample(ctx context.Context) ([]*lab.Proposal, error) {
	if b.fresh == nil {
		b.Lab.Meter.Begin("probe", "variance of the reward", lab.Proposals, b.Profile.Probe.RVPSamples)
		var err error
		if b.fresh, err = b.Lab.Propose(ctx, b.Generator, string(event.Corpus), event.Probe, 0, b.Profile.Probe.RVPSamples); err != nil {
			return nil, err
		}
	}
	return b.fresh, nil
}

// probeTrained is the event of a trained probe; rewards are those of fresh proposals of the base policy, whose variance is RVP.
func probeTrained(name string, probe probes.Probe, r probes.Report, rewards []float64) event.ProbeTrained {
	q := r.Quality
	quality := event.ProbeQuality{AUROC: q.AUROC, AUROCLow: q.AUROCLow, AUROCHigh: q.AUROCHigh, BalancedAccuracy: q.BalancedAccuracy,
		Brier: r.Raw.Brier, ECE: r.Raw.ECE,
		Calibrations: []event.Calibration{calibration(event.Uncalibrated, r.Raw), calibration(event.Isotonic, r.Isotonic), calibration(event.Platt, r.Platt)}}
	scored := slices.DeleteFunc(slices.Clone(rewards), math.IsNaN)
	if v, ok := metric.RVP(scored); ok {
		quality.RVP = &v
	}
	d := probe.Describe()
	e := event.ProbeTrained{Probe: name, Kind: string(r.Kind), Layer: r.Layer, Pooling: string(r.Pooling), L2: r.L2,
		Tasks: r.Tasks, InBand: r.InBand, Members: max(1, len(d.Members)), Reads: d.String(), Groups: r.Groups, Folds: r.Folds, Quality: quality}
	for _, d := range r.Deciles {
		e.Deciles = append(e.Deciles, event.Decile{Low: d.Low, High: d.High, Tasks: d.Count, InBand: d.Positive})
	}
	return e
}

func calibration(method string, c probes.Calibration) event.Calibration {
	e := event.Calibration{Method: method, Brier: c.Brier, ECE: c.ECE}
	for _, b := range c.Bins {
		e.Bins = append(e.Bins, event.Reliability{Low: b.Low, High: b.High, Tasks: b.Count, InBand: b.Positive, Predicted: b.Mean})
	}
	return e
}
