package probes

import (
	"cmp"
	"context"
	"slices"
)

// ensemble trains the members: member m reads the m-th best layer, beginning again after the worst, leaves out fold m, and draws from seed
// plus m (a convex fit draws nothing). How PROPEL's two probes differ was not published; these three are Verge's choice. The logits of a
// fold are those of members that were trained and ranked without it, and without one fold more each.
func (r *Report) ensemble(ctx context.Context, s *search, places []Setting, o Options) (*Ensemble, error) {
	var trials []trial
	for k := range r.Folds {
		settings := s.ranked(places, k, r.Outer[k])
		for m := range o.Members {
			other := (k + 1 + m%(r.Folds-1)) % r.Folds
			trials = append(trials, newTrial(settings[m%len(settings)], k, other, o.Seed+uint64(m)))
		}
	}
	if err := s.train(ctx, trials); err != nil {
		return nil, err
	}
	logits := make([][]float64, r.Folds)
	for k := range logits {
		byMember := make([][]float64, o.Members)
		for m := range byMember {
			byMember[m] = s.done[trials[k*o.Members+m]][k].logits
		}
		logits[k] = overMembers(byMember, o.Combine.of)
	}
	r.heldOut(s, logits)

	settings := s.ranked(places, everything, r.Setting)
	members := make([]Probe, o.Members)
	for m := range members {
		c := settings[m%len(settings)]
		var err error
		if members[m], err = s.keep(ctx, c, m%r.Folds, o.Seed+uint64(m)); err != nil {
			return nil, err
		}
		r.Members = append(r.Members, c)
	}
	return NewEnsemble(o.Combine, members...)
}

// ranked is the settings of every layer, each with its best pooling and the L2 of the best setting, in the order of the AUROC without the
// outer fold.
func (s *search) ranked(places []Setting, outer int, best Setting) []Setting {
	if len(places) == 1 {
		return []Setting{best}
	}
	judged := make([]Candidate, len(places))
	for i, c := range places {
		judged[i] = s.judge(c, outer)
	}
	slices.SortStableFunc(judged, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.AUROC, a.AUROC), cmp.Compare(a.LogLoss, b.LogLoss))
	})
	var out []Setting
	taken := map[int]bool{}
	for _, c := range judged {
		if !taken[c.Layer] {
			taken[c.Layer] = true
			c.L2 = best.L2
			out = append(out, c.Setting)
		}
	}
	return out
}
