package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/doctor"
	"verge/runner/engine"
)

func doctorCommand() *cobra.Command {
	var asJSON bool
	var host string
	var models []string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine and its Ollama server can do for a run",
		Long: `Doctor looks at the engine in this program, at the Ollama server and at models on it: it asks a model
for a token, for a reply in a schema, for log-probabilities and an embedding, where it runs, and how
many calls it serves at a time. Without --model it takes the smallest model that can reply and the
smallest that is made for embeddings.

A server that is not there is no error: the profiles that ship for the embedded models need none. A
model named with --model that cannot be used is one.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := ollama.New(ollama.Options{Host: host, Limits: doctorLimits})
			if err != nil {
				return requestError{err}
			}
			defer client.Close()
			quiet := sayAsked(client)
			r, err := examine(c.Context(), client, models)
			quiet()
			if err != nil {
				return err
			}
			if asJSON {
				err = r.WriteJSON(os.Stdout)
			} else {
				err = r.WriteText(os.Stdout)
			}
			if err == nil {
				err = unusable(r, models)
			}
			return err
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.StringVar(&host, "host", "", "the server's `URL`, instead of OLLAMA_HOST")
	f.StringArrayVar(&models, "model", nil, "`name` of a model to examine (repeatable)")
	return c
}

// doctorLimits are those of one call: a person waits for it, so that a server that is stuck is told in minutes.
var doctorLimits = ollama.Limits{Load: 2 * time.Minute, Idle: 30 * time.Second, Total: 3 * time.Minute}

// sayAsked says on standard error, where that is a terminal, which server is asked and since when, until what it returns is called.
func sayAsked(client *ollama.Client) (quiet func()) {
	if terminalWidth(os.Stderr) == 0 {
		return func() {}
	}
	began := time.Now()
	p := showProgress(os.Stderr, func(now time.Time, width int) string {
		asked := fmt.Sprintf("asking %s, for %s", client.URL(), now.Sub(began).Round(time.Second))
		return fitting(width, fmt.Sprintf("%s; it may take %s to load a model", asked, doctorLimits.Load), asked)
	})
	return p.stop
}

// examine puts this machine's own engine before what is found of the server.
func examine(ctx context.Context, client *ollama.Client, models []string) (doctor.Report, error) {
	r, err := doctor.Examine(ctx, client, models)
	r.Checks = append([]doctor.Check{engineCheck()}, r.Checks...)
	return r, err
}

func engineCheck() doctor.Check {
	c := doctor.Check{Name: "engine", State: doctor.OK}
	var embedded []string
	for _, load := range []func() (*engine.Model, error){engine.Micro, engine.MicroB} {
		m, err := load()
		if err != nil {
			c.State, c.Found, c.Meaning, c.Fix = doctor.Failed, err.Error(), "an embedded model cannot be read: this program was not built whole", "build it again from a clean clone"
			return c
		}
		embedded = append(embedded, fmt.Sprintf("%s (%.12s)", m.Name, m.Digest))
	}
	kernels := engine.Kernels()
	c.Found = fmt.Sprintf("kernels %s on %s, %d cores", strings.Join(kernels, " "), runtime.GOARCH, runtime.NumCPU())
	c.Meaning = fmt.Sprintf("profiles on the embedded models, %s, run here without a server", strings.Join(embedded, " and "))
	if slices.Contains(kernels, "go") {
		c.Meaning += ", several times slower than on a CPU with AVX2 and FMA"
	}
	return c
}

// unusable is the error of models that were asked for by name and cannot be used, since they or their server failed a check; what is not there
// is a wrong request.
func unusable(r doctor.Report, models []string) error {
	if len(models) == 0 {
		return nil
	}
	for _, check := range r.Checks {
		if !slices.Contains([]string{doctor.Server, doctor.Capabilities, doctor.Reply}, check.Name) || check.State == doctor.OK {
			continue
		}
		err := fmt.Errorf("model %s: %s: %s", cmp.Or(check.Model, strings.Join(models, ", ")), check.Name, check.Found)
		if check.State == doctor.Missing {
			return requestError{err}
		}
		return err
	}
	return nil
}
