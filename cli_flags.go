package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verge/internal/typo"
)

// kinds says what a flag takes, by the name pflag gives its type.
var kinds = map[string]string{
	"bool": "true or false", "int": "a whole number that fits in 64 bits", "uint64": "a whole number of 0 or more that fits in 64 bits", "float64": "a number",
}

// wrongFlag words what pflag says of a command line it cannot read: the flag, its value, what to write instead.
func wrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && !c.HasParent() && c.Flags().NArg() > 0:
		return noCommand(c, c.Flags().Arg(0))
	case errors.As(err, &unknown):
		return noFlag(c, unknown)
	case errors.As(err, &bare):
		return requestError{fmt.Errorf("--%s has no value; write %s; see %s --help", bare.GetFlag().Name, usage(bare.GetFlag()), c.CommandPath())}
	case errors.As(err, &invalid):
		if kind, ok := kinds[invalid.GetFlag().Value.Type()]; ok {
			return requestError{fmt.Errorf("--%s %s: it has to be %s; see %s --help", invalid.GetFlag().Name, invalid.GetValue(), kind, c.CommandPath())}
		}
	}
	return requestError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
}

// noFlag says that a command has no such flag. What follows a single dash is read letter by letter, but meant as one name.
func noFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	written, name := "--"+unknown.GetSpecifiedName(), unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		written, name = "-"+letters, letters
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := ""
	if n := typo.Nearest(name, names); n != "" {
		hint = "nearest is --" + n + "; "
	}
	return requestError{fmt.Errorf("%s has no flag %s; %ssee %s --help", c.CommandPath(), written, hint, c.CommandPath())}
}

// usage is a flag with what it takes.
func usage(f *pflag.Flag) string {
	what, _ := pflag.UnquoteUsage(f)
	return "--" + f.Name + " " + strings.ToUpper(what)
}

// nothingEmpty refuses an argument or a flag's value that is an empty text, such as that of a shell variable which is not set.
func nothingEmpty(c *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return requestError{fmt.Errorf(`%s "": an argument is empty; see %s --help`, c.CommandPath(), c.CommandPath())}
	}
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = requestError{fmt.Errorf(`--%s "": it is empty; write %s, or leave it out`, f.Name, usage(f))}
		}
	})
	return err
}
