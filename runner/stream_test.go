package runner

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verge/runner/event"
	"verge/runner/store"
)

// A server's notice does not wait for a run that is paused, and is stored after what was being emitted.
func TestANoticeDoesNotWaitForAPausedRun(t *testing.T) {
	w, err := store.Create(t.TempDir(), store.Header{Profile: "quick", Recipe: "propel", Domain: "math", Started: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	paused, goOn := make(chan bool), make(chan bool)
	var seen []string
	s := &stream{writer: w, observe: func(e event.Event) { seen = append(seen, e.Name()) }, wait: func(e event.Event, keep func() error) error {
		if _, stage := e.(event.StageStarted); !stage {
			return nil
		}
		err := keep()
		paused <- true
		<-goOn
		return err
	}}
	emitted := make(chan error)
	go func() {
		emitted <- s.emit(event.RunStarted{Arms: []string{"base"}, Attempts: 1, Low: 1, High: 1}, event.StageStarted{Arm: "base", Stage: event.Eval, Total: 1},
			event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Eval}})
	}()
	<-paused
	s.notice(event.BackendNoticed{Kind: "paused", Away: 1}) // would hang
	if n := s.position(); n != 1 {
		t.Errorf("%d events while the run is held before its second", n)
	}
	goOn <- true
	if err := <-emitted; err != nil {
		t.Fatal(err)
	}
	s.notice(event.BackendNoticed{Kind: "resumed", Away: -1})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{"RunStarted", "StageStarted", "TaskProposed", "BackendNoticed", "BackendNoticed"}
	if d := cmp.Diff(want, seen); d != "" {
		t.Errorf("folded: %s", d)
	}
	r, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var stored []string
	for record, err := range r.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, record.Event.Name())
	}
	if d := cmp.Diff(want, stored); d != "" {
		t.Errorf("stored: %s", d)
	}
}
