package runner_test

import (
	"testing"
	"time"

	"verge/runner"
	"verge/runner/lab"
	"verge/runner/store"
)

func TestTimeInWhichARunIsHeldIsNoneOfItsTime(t *testing.T) {
	const rest = 300 * time.Millisecond
	var c runner.Control
	c.Pause()
	began := time.Now()
	o := runner.Options{Profile: small(t), Out: t.TempDir(), Meter: &lab.Meter{}, Control: &c}
	dir := ""
	o.Started = func(d string) {
		dir = d
		go func() {
			for c.Held(began) < rest {
				time.Sleep(5 * time.Millisecond)
			}
			c.Resume()
		}()
	}
	summary, err := runner.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := time.Since(began)
	if told := time.Duration(summary.WallS * float64(time.Second)); told > all-rest+time.Millisecond {
		t.Errorf("%s of %s are told as its time", told, all)
	}
	r, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if wall, err := r.Wall(); err != nil || wall > all-rest+2*time.Millisecond { // each of two stretches is in whole milliseconds
		t.Errorf("%s of %s are its time, %v", wall, all, err)
	}
}
