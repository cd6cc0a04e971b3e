package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"verge/domains/math/grade"
	"verge/internal/itself"
)

// gradeLimit is how long one pair may take before its grader is killed. The grader bounds its own work; this is the second fence.
const gradeLimit = 5 * time.Second

// grader is a child process that judges pairs one at a time, so that one that hangs can be killed.
type grader struct {
	ctx     context.Context
	child   *exec.Cmd
	in      io.WriteCloser
	results chan grade.Result // closed when the child ends
}

func (g *grader) judge(row grade.Row) (grade.Result, error) {
	if g.child == nil {
		if err := g.start(); err != nil {
			return grade.Result{}, err
		}
	}
	if err := json.NewEncoder(g.in).Encode([2][]byte{[]byte(row.Gold), []byte(row.Prediction)}); err != nil {
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: "the grader ended before this pair"}, nil
	}
	select {
	case r, ok := <-g.results:
		if ok {
			return r, nil
		}
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: "the grader ended on this pair"}, nil
	case <-time.After(gradeLimit):
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: fmt.Sprintf("not settled within %s", gradeLimit)}, nil
	case <-g.ctx.Done():
		return grade.Result{}, g.ctx.Err()
	}
}

func (g *grader) start() error {
	self, err := itself.Path()
	if err != nil {
		return err
	}
	g.child = exec.Command(self, graderCommandName)
	g.child.Env = os.Environ()
	if g.in, err = g.child.StdinPipe(); err != nil {
		return err
	}
	out, err := g.child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := g.child.Start(); err != nil {
		return err
	}
	results := make(chan grade.Result)
	g.results = results
	go func() {
		defer close(results)
		for in := json.NewDecoder(out); ; {
			var r grade.Result
			if in.Decode(&r) != nil {
				return
			}
			results <- r
		}
	}()
	return nil
}

func (g *grader) kill() {
	if g.child == nil {
		return
	}
	g.child.Process.Kill()
	for range g.results {
	}
	g.child.Wait()
	g.child = nil
}

const graderCommandName = "grader"

// graderCommand is the child: pairs as JSON on standard input, results on standard output.
func graderCommand() *cobra.Command {
	return &cobra.Command{
		Use:    graderCommandName,
		Hidden: true,
		Args:   noArguments,
		RunE: func(*cobra.Command, []string) error {
			in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
			for {
				var pair [2][]byte // a text would lose what is no UTF-8
				if err := in.Decode(&pair); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				if err := out.Encode(grade.Judge(string(pair[0]), string(pair[1]))); err != nil {
					return err
				}
			}
		},
	}
}
