package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"verge/profiles"
	"verge/runner"
	"verge/runner/engine"
	"verge/tui"
	"verge/tui/guard"
	"verge/tui/home"
	"verge/tui/screen"
	"verge/tui/theme"
	"verge/tui/walkthrough"
)

// interactive says that a person can use a screen here: keys come in and what is drawn goes out.
func interactive() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb"
}

// needsTerminal refuses to open a screen where there is none, and says what does without.
func needsTerminal(instead string) error {
	return requestError{fmt.Errorf("the workbench needs a terminal for both input and output, and TERM other than dumb; %s", instead)}
}

// workbench opens the screen with those that first makes, on top of home, and returns when it is left. What was begun in it is then stopped; but
// where the terminal was lost, runs whose profile says so go on to their end.
// again is the command that goes on with a run that leaving interrupted; "": the one that resumes it.
func workbench(ctx context.Context, out, again string, first func(*screen.Env, *launcher) (screen.Screen, error)) error {
	name := os.Getenv("VERGE_THEME")
	if name != "" {
		if _, err := theme.New(name); err != nil {
			return requestError{fmt.Errorf("VERGE_THEME: %w", err)}
		}
	}
	if info, err := os.Stat(out); err == nil && !info.IsDir() {
		return requestError{fmt.Errorf("no runs can be kept in %s: it is no folder; name another folder with --out", out)}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &guard.Guard{}
	l := &launcher{ctx: ctx, guard: g, out: out}
	watching, leave := context.WithCancel(ctx)
	defer leave()
	lost := func() bool {
		if len(l.unattended()) == 0 {
			return false
		}
		leave()
		return true
	}
	hangup.Store(&lost)
	engine.Spare(2) // for keys and the screen
	err := tui.Run(watching, tui.Options{
		Out: out, Theme: name, Launcher: l, GoesOn: l.goesOn, Guard: g,
		First: func(env *screen.Env) ([]screen.Screen, error) {
			h := home.New(env, home.Folder(out), shipped())
			if first == nil {
				return []screen.Screen{h}, nil
			}
			top, err := first(env, l)
			for _, r := range l.live() {
				h.Select(r.Status().Dir)
			}
			return []screen.Screen{h, top}, err
		},
	})
	if ctx.Err() == nil && (watching.Err() != nil || errors.Is(err, tui.ErrTerminal)) {
		l.goOnAlone()
	}
	interrupted := ctx.Err()
	cancel()
	runs, sweeps := l.stop()
	var goOn []string
	for _, dir := range runs {
		goOn = append(goOn, "verge run --resume "+dir)
	}
	if again != "" && len(runs) > 0 {
		goOn = []string{again}
	}
	if len(goOn) > 0 {
		fmt.Fprintf(os.Stderr, "verge: interrupted; what was done is kept: go on with\n  %s\n", strings.Join(goOn, "\n  "))
	}
	for _, dir := range sweeps {
		fmt.Fprintf(os.Stderr, "verge: interrupted; what was done is kept in %s: the workbench goes on with it, or verge sweep\n", dir)
	}
	return errors.Join(err, interrupted)
}

// shipped names the profiles that ship.
func shipped() []string {
	var names []string
	for _, p := range profiles.List() {
		names = append(names, p.Name)
	}
	return names
}

// runInWorkbench carries out a run on the screen, and shows what came of it when the screen is left.
func runInWorkbench(ctx context.Context, o runner.Options) error {
	var run *live
	err := workbench(ctx, o.Out, "", func(env *screen.Env, l *launcher) (screen.Screen, error) {
		s, err := l.carryOut(o)
		if err != nil {
			return nil, err
		}
		run = s.(*live)
		return env.Run(s), nil
	})
	if run == nil || err != nil {
		return err
	}
	if run.err != nil {
		if !errors.Is(run.err, context.Canceled) {
			fmt.Fprintf(os.Stderr, "verge: the run failed; what was done is kept in %s\n", run.dir)
		}
		return run.err
	}
	return show(*run.summary, false)
}

func replayCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "replay RUN",
		Short: "Watch a stored run from its start",
		Long: `Replay shows a stored run in the workbench as it happened: pause it, step it, change its speed,
jump in it. RUN is the name of a run in the folder of runs, or a path.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return requestError{fmt.Errorf("replay takes one run, %s; verge runs lists them", got(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !interactive() {
				return needsTerminal("verge report " + args[0] + " shows what came of the run")
			}
			dir := runFolder(args[0], out)
			return workbench(c.Context(), out, "", func(env *screen.Env, l *launcher) (screen.Screen, error) {
				s, err := l.Watch(dir, true)
				if err != nil {
					return nil, requestError{err}
				}
				return env.Run(s), nil
			})
		},
	}
	c.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	return c
}

func walkthroughCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "walkthrough [RECIPE]",
		Short: "The loop, one stage at a time, explained with the live numbers",
		Long: `Walkthrough leads through a recipe's loop on a run of the embedded model: what each stage does, its
formula with the run's numbers, what to watch, a question, and what would break it. It takes about ten
minutes, fits 80 × 24 cells, and goes on where it was left.

The recipes it explains: ` + strings.Join(walkthrough.Lessons(), ", ") + `. Without one it takes the first.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return requestError{fmt.Errorf("walkthrough takes one recipe at the most, %s", got(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			recipe := walkthrough.Lessons()[0]
			if len(args) > 0 {
				recipe = args[0]
			}
			lesson, err := walkthrough.Find(recipe)
			if err != nil {
				return requestError{err}
			}
			if !interactive() {
				return needsTerminal("verge run quick shows the same loop as text")
			}
			again := "verge walkthrough " + recipe
			if out != defaultOut {
				again += " --out " + out
			}
			return workbench(c.Context(), out, again, func(env *screen.Env, _ *launcher) (screen.Screen, error) {
				s, err := walkthrough.Open(env, lesson)
				if err != nil {
					return nil, requestError{err}
				}
				return s, nil
			})
		},
	}
	c.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	return c
}
