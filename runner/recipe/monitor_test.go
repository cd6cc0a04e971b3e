package recipe

import (
	"context"
	"slices"
	"testing"

	"verge/probes/metric"
	"verge/runner/event"
)

func TestMonitoringIsBilledAndChoosesNothing(t *testing.T) {
	run := func(sets ...string) (*event.State, []event.Event) {
		b, fold := bench(t, append([]string{"run.arms=base,propel,propel-coevolve", "policy.steps=5", "coevolve.every=2", "coevolve.tasks=8"}, sets...)...)
		var all []event.Event
		apply := b.Lab.Emit
		b.Lab.Emit = func(events ...event.Event) error {
			all = append(all, events...)
			return apply(events...)
		}
		if err := (PROPEL{}).Run(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if spent, most := fold.Snapshot().Arm(Propel).Train.Attempts+fold.Snapshot().Arm(Coevolve).Train.Attempts, (PROPEL{}).Cost(b.Profile).Training; spent > most {
			t.Errorf("%d attempts in training, the bound is %d", spent, most)
		}
		return fold.Snapshot(), all
	}
	without, _ := run()
	with, all := run("probe.monitor_every=2", "probe.monitor_tasks=6")

	a := with.Arm(Propel)
	if len(without.Arm(Propel).Monitored) > 0 || len(a.Monitored) != 2 || a.Monitored[0].Step != 2 || a.Monitored[1].Step != 4 {
		t.Fatalf("monitored %+v", a.Monitored)
	}
	if a.Monitored[0].Tasks != 6 || a.Monitored[1].Recent != 12 {
		t.Errorf("monitored %+v", a.Monitored)
	}
	if a.Train.Attempts != 2*6*8 || a.AttemptsTrain() != with.Corpus.Attempts+2*6*8 || a.Curve[1].Attempts != 6*8 || a.Curve[2].Attempts != 0 {
		t.Errorf("%d attempts in training, %d billed", a.Train.Attempts, a.AttemptsTrain())
	}
	for _, name := range []string{Base, Propel} {
		x, y := with.Arm(name), without.Arm(name)
		if x.Measured.KL != y.Measured.KL || x.Eval.InBand != y.Eval.InBand || !slices.Equal(x.Eval.Histogram, y.Eval.Histogram) {
			t.Errorf("arm %s ends elsewhere when its probe is monitored", name)
		}
	}

	// The figures again, from the events of the arm alone.
	logits, right := map[event.Key]float64{}, map[event.Key]int{}
	groups := map[event.Key]string{}
	var order []event.Key
	for _, e := range all {
		switch e := e.(type) {
		case event.ProbeScored:
			logits[e.Key] = e.Logit
		case event.TaskValidated:
			groups[e.Key] = e.Task.ID
		case event.AttemptGraded:
			if e.Key.Arm == Propel && e.Key.Stage == event.Train {
				if !slices.Contains(order, e.Key) {
					order = append(order, e.Key)
				}
				if e.Grading.Verdict == "right" {
					right[e.Key]++
				}
			}
		}
	}
	var scores []float64
	var inBand []bool
	for _, k := range order {
		scores, inBand = append(scores, logits[k]), append(inBand, right[k] >= 1 && right[k] <= 7)
		if same := slices.IndexFunc(order, func(o event.Key) bool { return o != k && o.Step == k.Step && groups[o] == groups[k] }); same >= 0 {
			t.Errorf("one task is attempted twice: %v and %v", k, order[same])
		}
	}
	area, ok := metric.AUROC(scores, inBand)
	if got := a.Monitored[1].AUROC; !ok || got == nil || *got != area {
		t.Errorf("AUROC %v, want %v, %v", got, area, ok)
	}
}

func TestOverlapCountsDifferentTasksOfTheCorpus(t *testing.T) {
	b, fold := bench(t, "run.arms=base,propel,best-of-n")
	corpus, evaluated := map[string]bool{}, map[string]map[string]bool{}
	apply := b.Lab.Emit
	b.Lab.Emit = func(events ...event.Event) error {
		for _, e := range events {
			if v, ok := e.(event.TaskValidated); ok && v.Validity.Valid {
				switch v.Key.Stage {
				case event.Corpus:
					corpus[v.Task.ID] = true
				case event.Eval:
					if evaluated[v.Key.Arm] == nil {
						evaluated[v.Key.Arm] = map[string]bool{}
					}
					evaluated[v.Key.Arm][v.Task.ID] = true
				}
			}
		}
		return apply(events...)
	}
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	for arm, tasks := range evaluated {
		want := event.Overlap{Tasks: len(tasks)}
		for id := range tasks {
			if corpus[id] {
				want.InCorpus++
			}
		}
		if got := fold.Snapshot().Arm(arm).Evaluated.Overlap; got == nil || *got != want || want.InCorpus == 0 || want.InCorpus == want.Tasks {
			t.Errorf("arm %s: overlap %+v, want %+v", arm, got, want)
		}
	}
	b, fold = bench(t, "run.arms=base")
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if o := fold.Snapshot().Arm(Base).Evaluated.Overlap; o != nil {
		t.Errorf("a run without a corpus has an overlap of %+v", o)
	}
}
