// Verge trains task generators at the learnable frontier.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"verge/profiles"
	"verge/runner"
)

// Exit codes.
const (
	exitFailed      = 1   // the run failed
	exitRequest     = 2   // the request was wrong
	exitInterrupted = 130 // as a shell reports SIGINT
)

func main() {
	ignoreFileLimit()
	ctx, stop := interruptible()
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, folded(os.Stderr, "verge: "+printable(err.Error())))
	}
	os.Exit(exitCode(err))
}

// printable shows control characters, which a message may quote from a file, as what they are.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hangup, if set, is asked what to do when the terminal is lost; it returns true where it takes care of that.
var hangup atomic.Pointer[func() bool]

// interruptible is a context that the first SIGINT, SIGTERM or SIGHUP cancels; the second ends the process at once.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			if handle := hangup.Load(); s == syscall.SIGHUP && handle != nil && (*handle)() {
				continue
			}
			if ctx.Err() != nil {
				if s == syscall.SIGHUP { // a terminal that closes sends one, and its shell another
					continue
				}
				os.Exit(exitInterrupted)
			}
			sayEnding()
			cancel()
		}
	}()
	return ctx, cancel
}

// sayEnding says that the process ends. A terminal or a pipe that takes nothing keeps it waiting only for a moment.
func sayEnding() {
	said := make(chan struct{})
	go func() {
		defer close(said)
		start := "\n"
		if terminalWidth(os.Stderr) > 0 {
			start = eraseLine
		}
		fmt.Fprintln(os.Stderr, start+"verge: ending cleanly; interrupt again to end at once")
	}()
	select {
	case <-said:
	case <-time.After(100 * time.Millisecond):
	}
}

// requestError marks an error of the command line itself.
type requestError struct{ error }

func exitCode(err error) int {
	var usage requestError
	var profile *profiles.Error
	var request *runner.RequestError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &profile), errors.As(err, &request):
		return exitRequest
	}
	return exitFailed
}

func command() *cobra.Command {
	var out string
	root := &cobra.Command{
		Use:   "verge",
		Short: "Train task generators at the learnable frontier",
		Long: `Verge trains task generators at the learnable frontier: a generator proposes tasks, a solver
attempts them, and the generator is rewarded for tasks that the solver can sometimes, but not
always, solve.

On a terminal, verge alone opens the workbench: profiles, runs and sweeps. Start there, or with
  verge walkthrough      the loop explained on a live run
  verge run quick        one experiment, about twenty seconds`,
		Version:       runner.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if !interactive() {
				return needsTerminal("verge run PROFILE --headless runs an experiment without one, and verge --help lists all that does")
			}
			return workbench(c.Context(), out, "", nil)
		},
	}
	root.Flags().StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	root.SetFlagErrorFunc(wrongFlag)
	root.PersistentPreRunE = nothingEmpty
	root.SetHelpCommand(helpCommand())
	root.AddCommand(runCommand(), sweepCommand(), runsCommand(), reportCommand(), profilesCommand(), pretrainCommand(), gradeCommand(), graderCommand(), pushCommand(), replayCommand(), walkthroughCommand(), doctorCommand())
	completions(root)
	fitHelp(root)
	return root
}
