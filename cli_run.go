package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/report"
	"verge/runner/store"
)

// defaultOut is where runs are kept when --out does not say otherwise.
const defaultOut = "runs"

func runCommand() *cobra.Command {
	var sets []string
	var seed uint64
	var out, resume string
	var asJSON, headless, pull bool
	c := &cobra.Command{
		Use:   "run PROFILE | run --resume RUN",
		Short: "Run one experiment from a profile",
		Long: `Run carries out a profile's arms one after the other and says what came of them.

PROFILE is the name of a profile that ships (see verge profiles) or the path of a TOML file.
Every value of it can be changed with --set, for example

  verge run quick --set policy.kl=0 --set policy.steps=40

Models behind an Ollama server are downloaded with --pull alone. A server that goes away while a run
goes on is waited for, as long as the profile's ollama.outage says.

The run's events are kept in a folder of its own below --out. Progress goes to standard error, the
result to standard output.`,
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("resume") && len(args) == 0 {
				return nil
			}
			if len(args) != 1 {
				return requestError{fmt.Errorf("run takes one profile, %s; profiles that ship: %s", got(args), profileNames())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("seed") {
				text := fmt.Sprint(seed)
				if err := profiles.CheckFlag("--seed", "run.seed", text); err != nil {
					return err
				}
				sets = append(sets, "run.seed="+text)
			}
			o := runner.Options{Out: out}
			var err error
			if resume != "" {
				if o.Resume, o.Profile, err = resumed(resume, out, args, sets); err != nil {
					return err
				}
				if done, err := showDone(o.Resume, asJSON); done || err != nil {
					return err
				}
			} else {
				o.Profile, err = profiles.Load(args[0], sets)
			}
			if err != nil {
				return err
			}
			if pull && !served(o.Profile) {
				fmt.Fprintln(os.Stderr, folded(os.Stderr, "verge: --pull: no role of the profile is bound to a server's model; nothing is pulled"))
			} else if pull {
				if err := pullModels(c.Context(), o); err != nil {
					return err
				}
			}
			if !headless && !asJSON && interactive() {
				return runInWorkbench(c.Context(), o)
			}
			return run(c.Context(), o, asJSON)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&sets, "set", nil, "change a value of the profile: `key=value` (repeatable)")
	f.Uint64Var(&seed, "seed", 0, "the run's `seed`, instead of the profile's")
	f.StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	f.StringVar(&resume, "resume", "", "go on with an interrupted or failed `run`, by its name or folder")
	f.BoolVar(&headless, "headless", false, "text alone, also on a terminal; implied by --json and where standard output is no terminal")
	f.BoolVar(&pull, "pull", false, "have the Ollama server download the models that it lacks")
	f.BoolVar(&asJSON, "json", false, "print the summary as one JSON object, last, on standard output")
	return c
}

// served says that a role of a profile is bound to a model that a server has.
func served(p *profiles.Profile) bool {
	roles := []string{"generator", "solver", "judge", "transfer", "reference"}
	for i := range p.Roles.Oracles {
		roles = append(roles, profiles.OracleRole(i))
	}
	return slices.ContainsFunc(roles, func(role string) bool {
		as, ok := p.Roles.Bound(role)
		return ok && (as.Backend == profiles.OllamaBackend || strings.HasPrefix(as.Model, profiles.Tagged))
	})
}

// showDone shows what came of a run that has ended already, if it has: its process may have died before it could.
func showDone(dir string, asJSON bool) (bool, error) {
	r, err := store.Open(dir)
	if err != nil {
		return false, requestError{err}
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil || info.State != store.Done {
		return false, err
	}
	fmt.Fprintf(os.Stderr, "verge: %s is done; nothing is left to do\n", dir)
	s, err := report.Of(r)
	if err != nil {
		return false, err
	}
	return true, show(s, asJSON)
}

// show prints a summary; its warnings are in the table, and with JSON on standard error too.
func show(s report.Summary, asJSON bool) error {
	if !asJSON {
		return report.Table(os.Stdout, s, style())
	}
	for _, w := range s.Warnings {
		of := ""
		if w.Arm != "" {
			of = w.Arm + ": "
		}
		fmt.Fprintf(os.Stderr, "warning: %s%s\n", of, w.Text)
	}
	return report.WriteJSON(os.Stdout, s)
}

// resumed finds the run to go on with and the profile it was started with; one that is given as well has to be the same.
func resumed(name, out string, args, sets []string) (dir string, p *profiles.Profile, err error) {
	dir = runFolder(name, out)
	if p, err = runner.StoredProfile(dir); err != nil {
		return "", nil, err
	}
	if len(args) == 0 && len(sets) > 0 {
		return "", nil, requestError{errors.New("--resume goes on with the profile that the run was started with; --set and --seed cannot change it")}
	}
	if len(args) > 0 {
		given, err := profiles.Load(args[0], sets)
		if err != nil {
			return "", nil, err
		}
		if given.Hash() != p.Hash() {
			return "", nil, requestError{fmt.Errorf("--resume %s: the run was started with other settings than %s has now; leave the profile out to go on with its own", name, args[0])}
		}
	}
	return dir, p, nil
}

func run(ctx context.Context, o runner.Options, asJSON bool) error {
	o.Meter = &lab.Meter{}
	progress := startProgress(os.Stderr, o.Meter)
	dir := ""
	o.Started = func(d string) {
		dir = d
		progress.say(fmt.Sprintf("run %s (seed %d)", d, o.Profile.Run.Seed))
	}
	o.Noticed = func(n event.BackendNoticed) {
		if n.Away != 0 || n.Loads > 0 {
			progress.say("verge: " + n.Text)
		}
	}
	summary, err := runner.Run(ctx, o)
	progress.stop()
	switch {
	case errors.Is(err, context.Canceled):
		if dir != "" {
			fmt.Fprintf(os.Stderr, "verge: interrupted; what was done is kept: go on with\n  verge run --resume %s\n", dir)
		}
		return err
	case err != nil && dir != "":
		fmt.Fprintf(os.Stderr, "verge: the run stopped; what was done is kept: mend what is said below and go on with\n  verge run --resume %s\n", dir)
		return errors.Join(err, showFailed(dir, asJSON))
	case err != nil:
		return err
	}
	return show(*summary, asJSON)
}

// showFailed shows what came of a run before one of its arms failed, if that is how it stopped.
func showFailed(dir string, asJSON bool) error {
	r, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil || info.State != store.Failed {
		return err
	}
	s, err := report.Of(r)
	if err != nil {
		return err
	}
	return show(s, asJSON)
}
