package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"verge/profiles"
	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/guard"
	"verge/tui/session"
)

func TestARunThatWaitsForAServerIsToldAsThat(t *testing.T) {
	r := &live{dir: "runs/x", done: make(chan struct{})}
	l := &launcher{runs: []*live{r}}
	for _, c := range []struct {
		event event.Event
		away  string
	}{
		{event.RunStarted{Recipe: "propel", Domain: "math", Arms: []string{"base"}, Attempts: 8, Low: 0.125, High: 0.375}, ""},
		{event.BackendNoticed{Kind: "paused", Away: 1, Text: "the server went away"}, "the server went away"},
		{event.BackendNoticed{Kind: "resumed", Away: -1, Text: "it is back"}, ""},
	} {
		if r.observe(c.event); r.broken != nil {
			t.Fatal(r.broken)
		}
		if s := l.Standing(); len(s) != 1 || s[0].Dir != "runs/x" || s[0].State != session.Running || s[0].Away != c.away {
			t.Errorf("after %+v it stands as %+v", c.event, s)
		}
	}
}

func TestASweepsRunsKeepWhatWasSet(t *testing.T) {
	p, err := profiles.Load("quick", []string{"run.arms=base", "evaluation.proposals=20"})
	if err == nil {
		p, err = p.WithGrid([]string{"policy.kl=0,0.5"}, "1")
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &launcher{ctx: t.Context(), guard: &guard.Guard{}, out: t.TempDir()}
	dir, err := l.StartSweep(p)
	if err != nil {
		t.Fatal(err)
	}
	defer l.stop()
	for deadline := time.Now().Add(time.Minute); l.sweeps[dir].running(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the sweep does not end")
		}
	}
	runs, _, err := store.List(dir)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v; %v", len(runs), err, l.sweeps[dir].ended())
	}
	if cost := l.Cost(p); cost.Runs != 2 || cost.Time <= 0 {
		t.Errorf("of its runs is told %s", cost)
	}
	var got []string
	for _, r := range runs {
		got = append(got, strings.Join(r.Settings, " "))
	}
	slices.Sort(got)
	const set = "run.arms=base evaluation.proposals=20 "
	if want := []string{set + "policy.kl=0.0", set + "policy.kl=0.5"}; !slices.Equal(got, want) {
		t.Errorf("they were made with %q, not %q", got, want)
	}
}

func TestARunThatIsPausedIsToldAsThatAndTakesNoTime(t *testing.T) {
	p, err := profiles.Load("quick", []string{"run.arms=base", "evaluation.proposals=200"})
	if err != nil {
		t.Fatal(err)
	}
	l := &launcher{ctx: t.Context(), guard: &guard.Guard{}, out: t.TempDir()}
	s, err := l.Start(p)
	if err != nil {
		t.Fatal(err)
	}
	defer l.stop()
	s.Control().Do(session.Pause, 0)
	if standing := l.Standing(); len(standing) != 1 || standing[0].Dir != s.Status().Dir || standing[0].State != session.Paused || standing[0].Away != "" {
		t.Fatalf("it stands as %+v", standing)
	}
	r := l.live()[0]
	for deadline := time.Now().Add(time.Minute); r.control.Held(r.began) < 1500*time.Millisecond; {
		if time.Now().After(deadline) {
			t.Fatal("the run is not held")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if all, told := time.Since(r.began), s.Status().Progress.Elapsed; told > all-1500*time.Millisecond {
		t.Errorf("%s of %s are told as the run's, which was held for 1.5 s", told, all)
	}
	s.Control().Do(session.Resume, 0)
	if standing := l.Standing(); len(standing) == 1 && standing[0].State == session.Paused {
		t.Errorf("resumed it stands as %+v", standing)
	}
}
