package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"verge/runner"
)

// download is what is known of a download under way.
type download struct {
	mu          sync.Mutex
	model       string
	done, total int64
}

func (d *download) set(model string, done, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.model, d.done, d.total = model, done, total
}

// line shows it; width is the terminal's, 0 where there is none.
func (d *download) line(_ time.Time, _ int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.model == "":
		return ""
	case d.total == 0:
		return "pulling " + d.model
	}
	return fmt.Sprintf("pulling %s  %d %% of %d MB", d.model, 100*d.done/d.total, d.total/1e6)
}

// pullModels downloads the models that a run's servers lack, with progress on standard error.
func pullModels(ctx context.Context, o runner.Options) error {
	var d download
	progress := showProgress(os.Stderr, d.line)
	defer progress.stop()
	return runner.Pull(ctx, o, d.set)
}
