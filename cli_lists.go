package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verge/profiles"
	"verge/runner/report"
	"verge/runner/store"
)

func runsCommand() *cobra.Command {
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs",
		Short: "List the runs in a folder, newest first",
		Long: `Runs lists the runs in a folder, newest first: state, profile, what was set over it, seed and the figure
that says most. The runs of a sweep are in a folder of their own, sweep-PROFILE. verge report RUN shows all
that came of one.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			runs, problems, err := store.List(out)
			if err != nil {
				return requestError{err}
			}
			for _, p := range problems {
				fmt.Fprintln(os.Stderr, "verge:", p)
			}
			if asJSON {
				return report.RunsJSON(os.Stdout, runs)
			}
			if sweeps, _ := filepath.Glob(filepath.Join(out, "sweep-*")); len(sweeps) > 0 {
				defer fmt.Printf("\nThe runs of a sweep are in a folder of their own: verge runs --out %s\n", sweeps[len(sweeps)-1])
			}
			if len(runs) == 0 {
				fmt.Printf("No runs in %s yet. Start one with: verge run quick\n", out)
				return nil
			}
			look := style()
			if look.Width > 0 && look.Width < wideRuns {
				runs = settingsInHeadlines(runs)
			}
			return report.RunsTable(os.Stdout, runs, look)
		},
	}
	c.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// wideRuns is the width from which on a terminal has room for a column of settings beside that of headlines.
const wideRuns = 130

// settingsInHeadlines says what was set over each run's profile in its headline, which is broken at words, instead of in a column of its own.
func settingsInHeadlines(runs []store.RunInfo) []store.RunInfo {
	runs = store.TellApart(runs)
	for i := range runs {
		r := &runs[i]
		if len(r.Settings) > 0 {
			r.Headline = strings.TrimPrefix(r.Headline+"; with "+strings.Join(r.Settings, " "), "; ")
		}
		r.Settings = nil
	}
	return runs
}

func profilesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "profiles",
		Short: "List the profiles that ship",
		Long: `Profiles lists the profiles that ship, and what each is for.

A profile of your own is a TOML file that says what differs from one of these. It is given by its path, as in
verge run mine.toml; the workbench lists those in the folder it is started in, and e shows there what every
key of a profile means and what it may be.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			var pairs [][2]string
			for _, p := range profiles.List() {
				pairs = append(pairs, [2]string{p.Name, p.Description})
			}
			return printPairs(os.Stdout, pairs, terminalWidth(os.Stdout))
		},
	}
}

func profileNames() string {
	var names []string
	for _, p := range profiles.List() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
