package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"verge/profiles"
	"verge/runner/lab"
	"verge/runner/recipe"
	"verge/runner/report"
	"verge/runner/store"
	"verge/runner/sweep"
	"verge/tui/figure"
)

func sweepCommand() *cobra.Command {
	var sets, axes []string
	var seeds, out string
	var jobs int
	var dryRun, asJSON bool
	c := &cobra.Command{
		Use:   "sweep PROFILE",
		Short: "Run a profile over a grid of settings and seeds",
		Long: `Sweep runs a profile once for every combination of its axes' values and every seed, and compares what came
of them, paired by seed. The grid is the profile's table [sweep], or is given here:

  verge sweep quick --axis policy.kl=0,0.02,0.1 --seeds 5

The runs are kept in the folder sweep-PROFILE below --out. The same command again runs what is missing, was
interrupted or has failed, and nothing that is done; another axis or more seeds only add runs.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return requestError{fmt.Errorf("sweep takes one profile, %s; profiles that ship: %s", got(args), profileNames())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if jobs < 1 {
				return requestError{fmt.Errorf("--jobs %d: at least one cell has to run at a time; write --jobs 1", jobs)}
			}
			if c.Flags().Changed("seeds") {
				if err := profiles.CheckFlag("--seeds", "sweep.seeds", seeds); err != nil {
					return err
				}
				sets = append(sets, "sweep.seeds="+seeds)
			}
			if err := onceEach(axes); err != nil {
				return err
			}
			s, err := newSweep(args[0], sets, axes, out)
			if err != nil {
				return err
			}
			if dryRun {
				return planSweep(s, out, asJSON)
			}
			return runSweep(c.Context(), s, jobs, asJSON)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&axes, "axis", nil, "an axis of the grid, `key=a,b,c`, instead of or beside the profile's (repeatable)")
	f.StringVar(&seeds, "seeds", "", "`number` of seeds, from the profile's run.seed on, or the seeds themselves, as in 11,12,13")
	f.StringArrayVar(&sets, "set", nil, "change a value of the profile in every cell: `key=value` (repeatable)")
	f.IntVar(&jobs, "jobs", 1, "`cells` to run at a time")
	f.StringVar(&out, "out", defaultOut, "`folder` in which sweeps are kept")
	f.BoolVar(&dryRun, "dry-run", false, "print the cells, what they cost at the most and how long they may take, and run nothing")
	f.BoolVar(&asJSON, "json", false, "print the result as one JSON object, last, on standard output")
	return c
}

// onceEach refuses axes of which one would replace another.
func onceEach(axes []string) error {
	seen := map[string]bool{}
	for _, axis := range axes {
		key, _, _ := strings.Cut(axis, "=")
		if key = strings.TrimSpace(key); seen[key] {
			return requestError{fmt.Errorf("--axis %s: the axis is there already; write all of its values in one: --axis %s=a,b,c", axis, key)}
		}
		seen[key] = true
	}
	return nil
}

func newSweep(profile string, sets, axes []string, out string) (*sweep.Sweep, error) {
	p, err := profiles.Load(profile, sets)
	if err != nil {
		return nil, err
	}
	if p, err = p.ForSweep(axes); err != nil {
		return nil, err
	}
	return sweep.New(out, p)
}

func runSweep(ctx context.Context, s *sweep.Sweep, jobs int, asJSON bool) error {
	w := watchSweep(s)
	err := s.Run(ctx, jobs, w)
	w.progress.stop()
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(os.Stderr, "verge: interrupted; what was done is kept in %s: the same command goes on\n", s.Dir)
		return err
	case err != nil:
		return err
	}
	result, err := s.Result()
	if err == nil {
		err = result.Compare()
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = report.WriteSweepJSON(os.Stdout, result)
	} else {
		err = report.SweepTable(os.Stdout, result, style())
	}
	return errors.Join(err, s.Failed())
}

// watcher shows what a sweep is doing: a line for each cell that ended, and one for those that run.
type watcher struct {
	sweep    *sweep.Sweep
	progress *progress

	mu      sync.Mutex
	running []runningCell
	ended   int // in this process
}

type runningCell struct {
	cell  *sweep.Cell
	meter *lab.Meter
	began time.Time
}

func watchSweep(s *sweep.Sweep) *watcher {
	w := &watcher{sweep: s}
	w.progress = showProgress(os.Stderr, w.line)
	return w
}

// Started implements sweep.Observer.
func (w *watcher) Started(c *sweep.Cell, m *lab.Meter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = append(w.running, runningCell{c, m, time.Now()})
}

// Ended implements sweep.Observer.
func (w *watcher) Ended(c *sweep.Cell) {
	w.mu.Lock()
	i := slices.IndexFunc(w.running, func(r runningCell) bool { return r.cell == c })
	took := time.Since(w.running[i].began)
	w.running = slices.Delete(w.running, i, i+1)
	w.ended++
	text := fmt.Sprintf("%d. %s: %s after %s", w.ended, c, c.State, took.Round(100*time.Millisecond))
	w.mu.Unlock()
	if c.Run != "" {
		text += "  run " + c.Run
	}
	if c.Err != "" {
		text += ": " + c.Err
	}
	w.Say(text)
}

// Say implements sweep.Observer.
func (w *watcher) Say(text string) { w.progress.say(text) }

// line is the cells that run, in one line.
func (w *watcher) line(now time.Time, width int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var whole, short, shortest []string
	for _, r := range w.running {
		reading := r.meter.Read()
		if reading.Stages == 0 {
			continue
		}
		whole = append(whole, fmt.Sprintf("%s: %s", r.cell, strings.Join(strings.Fields(progressLine(reading, now, 0)), " ")))
		short = append(short, fmt.Sprintf("%s: %s", r.cell, shortLine(reading)))
		shortest = append(shortest, shortLine(reading))
	}
	if len(whole) == 0 {
		return ""
	}
	form := strings.Join(whole, " | ")
	if width == 0 {
		return form
	}
	count := fmt.Sprintf("%d ended, %d running", w.ended, len(w.running))
	return fitting(width, form, strings.Join(short, " | "), count+": "+strings.Join(shortest, " | "), count)
}

// planSweep prints what the sweep would run.
func planSweep(s *sweep.Sweep, out string, asJSON bool) error {
	problems, err := s.Look()
	if err != nil {
		return err
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "verge:", p)
	}
	plan := s.Plan(out)
	if asJSON {
		return planJSON(os.Stdout, s, plan)
	}
	return planTable(os.Stdout, s, plan)
}

func planTable(w *os.File, s *sweep.Sweep, plan sweep.Plan) error {
	fmt.Fprintf(w, "sweep %s in %s\n\n", s.Name, s.Dir)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, a := range s.Axes {
		fmt.Fprint(t, a.Key, "\t")
	}
	fmt.Fprintln(t, "seed\tstate\tattempts, at most\trun")
	for _, c := range s.Cells {
		for _, setting := range c.Settings {
			fmt.Fprint(t, report.ValueText(setting.Value), "\t")
		}
		attempts := "none: done"
		if c.State != store.Done {
			attempts = fmt.Sprint(c.Cost().Attempts())
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", c.Seed, c.State, attempts, c.Run)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	answers := ""
	if plan.Answers > 0 {
		answers = fmt.Sprintf(" and %d answers of oracles", plan.Answers)
	}
	bound := fmt.Sprintf("\n%d of %d cells to run, with at most %d attempts%s: a bound, as if every proposal were valid; invalid ones cost none.\n%s",
		plan.Cells, len(s.Cells), plan.Attempts, answers, planTime(plan))
	_, err := fmt.Fprintln(w, folded(w, bound))
	return err
}

func planTime(p sweep.Plan) string {
	text := fmt.Sprintf("About %s, if proposals are valid as often as in the %s here that this is estimated from.",
		p.Time.Round(time.Second), figure.Counted(p.Runs, "finished run"))
	switch {
	case p.Cells == 0:
		return "Nothing to run."
	case p.Unknown == p.Cells:
		return "How long that takes cannot be told: there is no finished run to estimate from."
	case p.Unknown > 0:
		return text + fmt.Sprintf(" Left out: %s that no finished run tells anything of.", figure.Counted(p.Unknown, "cell"))
	}
	return text
}

// planJSON prints a plan as one object; seconds is null when nothing is known.
func planJSON(w io.Writer, s *sweep.Sweep, p sweep.Plan) error {
	type cell struct {
		Hash     string          `json:"hash"`
		Settings report.Settings `json:"settings"`
		Seed     uint64          `json:"seed"`
		Run      string          `json:"run"`
		State    store.State     `json:"state"`
		Attempts int             `json:"attempts_at_most"`
		Answers  int             `json:"oracle_answers_at_most"`
	}
	plan := struct {
		Sweep    string      `json:"sweep"`
		Axes     report.Axes `json:"axes"`
		Seeds    []uint64    `json:"seeds"`
		Cells    []cell      `json:"cells"`
		ToRun    int         `json:"to_run"`
		Attempts int         `json:"attempts_at_most"`
		Answers  int         `json:"oracle_answers_at_most"`
		Seconds  *float64    `json:"seconds"`
		Unknown  int         `json:"cells_not_estimated"`
	}{Sweep: s.Name, Axes: s.Axes, Seeds: s.Seeds, ToRun: p.Cells, Attempts: p.Attempts, Answers: p.Answers, Unknown: p.Unknown}
	if p.Unknown < p.Cells {
		seconds := p.Time.Seconds()
		plan.Seconds = &seconds
	}
	for _, c := range s.Cells {
		var cost recipe.Cost
		if c.State != store.Done {
			cost = c.Cost()
		}
		plan.Cells = append(plan.Cells, cell{c.Hash, c.Settings, c.Seed, c.Run, c.State, cost.Attempts(), cost.Answers})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(plan)
}
