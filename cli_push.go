package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verge/profiles"
	"verge/runner"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
)

// Where a run keeps what its arms have trained: RUN/adapters/ARM.gguf.
const (
	adapterFolder = "adapters"
	adapterEnding = ".gguf"
)

func pushCommand() *cobra.Command {
	var arm, host, out string
	c := &cobra.Command{
		Use:   "push RUN TAG",
		Short: "Make a run's adapter a model of an Ollama server",
		Long: `Push sends the adapter that an arm of a run has trained, and the model it was trained on unless the server
has it, to an Ollama server, and makes a model of both under a tag. A tag that was pushed before on the same
base is replaced; one that names another model is left alone.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return requestError{fmt.Errorf("push takes a run and a tag, %s; verge runs lists the runs", got(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return pushAdapter(c.Context(), runFolder(args[0], out), args[1], arm, host)
		},
	}
	f := c.Flags()
	f.StringVar(&arm, "arm", "", "the `arm` whose adapter to push; needed where the run has several")
	f.StringVar(&host, "host", "", "the server's `URL`, instead of OLLAMA_HOST")
	f.StringVar(&out, "out", defaultOut, "`folder` in which runs are kept")
	return c
}

func pushAdapter(ctx context.Context, dir, tag, arm, host string) error {
	p, err := runner.StoredProfile(dir)
	if err != nil {
		return err
	}
	file, err := adapterFile(dir, arm)
	if err != nil {
		return requestError{err}
	}
	client, err := ollama.New(ollama.Options{Host: host})
	if err != nil {
		return requestError{err}
	}
	defer client.Close()
	address := client.URL()
	server := push.New(address, client.HTTP())
	base, err := baseOf(ctx, server, file, p)
	if err == nil {
		err = server.Adapter(ctx, tag, base, file)
	}
	switch {
	case errors.Is(err, push.ErrUnreachable), errors.Is(err, push.ErrTag):
		return requestError{err}
	case err != nil:
		return err
	}
	fmt.Printf("%s on %s: %s with %s\nTry it: OLLAMA_HOST=%s ollama run %s\n", tag, address, base.Name, file, address, tag)
	return nil
}

// adapterFile finds an arm's adapter in a run's folder; the only one where no arm is named.
func adapterFile(dir, arm string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, adapterFolder, "*"+adapterEnding))
	if err != nil {
		return "", err
	}
	var arms []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), adapterEnding)
		if name == arm || arm == "" && len(files) == 1 {
			return file, nil
		}
		arms = append(arms, name)
	}
	switch {
	case len(arms) == 0:
		return "", fmt.Errorf("%s has no adapter: a run writes its arms' adapters when it ends, and arms that train none have none", dir)
	case arm == "":
		return "", fmt.Errorf("%s has the adapters of several arms; name one with --arm: %s", dir, strings.Join(arms, ", "))
	}
	return "", fmt.Errorf("%s has no adapter of arm %q; it has those of %s", dir, arm, strings.Join(arms, ", "))
}

// baseOf finds the model that an adapter was trained on among those of its run's profile, by the digest in the adapter.
func baseOf(ctx context.Context, server *push.Server, adapter string, p *profiles.Profile) (push.Base, error) {
	trained, digest, err := engine.AdapterBase(adapter)
	if err != nil {
		return push.Base{}, requestError{err}
	}
	var tried []string
	for _, name := range []string{p.Roles.Generator.Model, p.Roles.Transfer.Model} {
		base, err := runner.Base(ctx, server, name)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, push.ErrTag):
			tried = append(tried, err.Error())
		case err != nil:
			return push.Base{}, err
		case base.Digest == digest:
			return base, nil
		default:
			tried = append(tried, fmt.Sprintf("%s has digest %.12s…", name, base.Digest))
		}
	}
	return push.Base{}, requestError{fmt.Errorf("the base of %s was not found: it was trained on %q with digest %.12s…, and of the run's models, %s; put that file back where the profile names it",
		adapter, trained, digest, strings.Join(tried, "; "))}
}
