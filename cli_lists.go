package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

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
			return report.RunsTable(os.Stdout, runs, style())
		},
	}
	c.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
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
			w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
			for _, p := range profiles.List() {
				fmt.Fprintf(w, "%s\t%s\n", p.Name, p.Description)
			}
			return w.Flush()
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
