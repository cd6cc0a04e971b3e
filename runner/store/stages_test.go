package store

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verge/runner/event"
)

func TestStageTimesCountWhatWasStoredForItsStage(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w,
		event.RunStarted{Profile: "quick", Arms: []string{"a"}, Attempts: 2},                                                             // seq 1
		event.StageStarted{Arm: "a", Stage: event.Train}, event.PolicyUpdated{Arm: "a", Step: 1}, event.PolicyUpdated{Arm: "a", Step: 2}, // 2 to 4
		event.StageStarted{Arm: "a", Stage: event.Eval}, event.Measured{Arm: "a"}) // 5, 6
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, w.Dir(), `DELETE FROM timings;
		INSERT INTO timings (session, seq, unix_ms) VALUES (1, 0, 1000), (1, 1, 1100), (1, 3, 3100), (2, 3, 900000), (2, 5, 900500), (2, 6, 900750)`)
	got, err := reader(t, w.Dir()).StageTimes()
	want := map[event.Stage]time.Duration{"": 100 * time.Millisecond, event.Train: 2500 * time.Millisecond, event.Eval: 250 * time.Millisecond}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("StageTimes = %v, error %v, want %v", got, err, want)
	}
}

func TestALockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep.lock")
	first, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second lock: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
