package store

import (
	"maps"
	"slices"
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

func TestTimeInWhichARunRestsIsNoneOfItsTime(t *testing.T) {
	began := time.Now() // before the run's own clock is read
	w := create(t, t.TempDir())
	appendAll(t, w, event.RunStarted{Profile: "quick", Arms: []string{"a"}, Attempts: 2})
	const rest = 300 * time.Millisecond
	if err := w.Rest(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(rest)
	if err := w.GoOn(); err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, event.StageStarted{Arm: "a", Stage: event.Train})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all := time.Since(began)
	if wall, err := reader(t, w.Dir()).Wall(); err != nil || wall > all-rest+2*time.Millisecond { // each of two stretches is in whole milliseconds
		t.Errorf("%s of %s are its time, %v", wall, all, err)
	}
}

func TestTimesAreTheReadingsOfTheClock(t *testing.T) {
	w := create(t, t.TempDir())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, w.Dir(), `DELETE FROM timings; INSERT INTO timings (session, seq, unix_ms) VALUES (1, 0, 1000), (1, 5, 2500), (2, 5, 900001)`)
	want := []Instant{{1, 0, time.UnixMilli(1000).UTC()}, {1, 5, time.UnixMilli(2500).UTC()}, {2, 5, time.UnixMilli(900001).UTC()}}
	if got, err := reader(t, w.Dir()).Times(); err != nil || !slices.Equal(got, want) {
		t.Errorf("Times = %v, %v, want %v", got, err, want)
	}
}
