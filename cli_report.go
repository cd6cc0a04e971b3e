package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verge/runner/report"
	"verge/runner/store"
)

func reportCommand() *cobra.Command {
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "report RUN…",
		Short: "Show what came of stored runs",
		Long: `Report computes the figures of stored runs from their events, as verge run showed them. A run is given by
its name or its folder; one that is not finished is reported as far as it came.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return requestError{errors.New("report takes the names of runs; verge runs lists them")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for i, name := range args {
				s, err := summaryOf(runFolder(name, out))
				if err != nil {
					return requestError{err}
				}
				if asJSON {
					if err := report.WriteJSON(os.Stdout, s); err != nil {
						return err
					}
					continue
				}
				if i > 0 {
					fmt.Println()
				}
				if err := report.Table(os.Stdout, s, style()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	c.Flags().BoolVar(&asJSON, "json", false, "print each run's summary as one JSON object, a line each")
	return c
}

// runFolder is the folder of a run that is given by its folder, by its name in out, or by the end of its name, as the workbench shows it, where
// only one run's name ends so. What has a separator in it is a path.
func runFolder(name, out string) string {
	if _, err := os.Stat(name); err == nil {
		return name
	}
	dir := filepath.Join(out, name)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if filepath.Base(name) != name {
		return name
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return dir
	}
	ends := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() || !strings.HasSuffix(e.Name(), "-"+name) })
	if len(ends) == 1 {
		return filepath.Join(out, ends[0].Name())
	}
	return dir
}

func summaryOf(dir string) (report.Summary, error) {
	r, err := store.Open(dir)
	if err != nil {
		return report.Summary{}, err
	}
	s, err := report.Of(r)
	return s, errors.Join(err, r.Close())
}
