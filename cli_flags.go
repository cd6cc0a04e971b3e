package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// kinds says what a flag takes, by the name pflag gives its type.
var kinds = map[string]string{
	"bool": "true or false", "int": "a whole number that fits in 64 bits", "uint64": "a whole number of 0 or more that fits in 64 bits", "float64": "a number",
}

// wrongFlag words what pflag says of a command line it cannot read: the flag, its value, what to write instead.
func wrongFlag(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if kind, ok := kinds[invalid.GetFlag().Value.Type()]; ok {
			return requestError{fmt.Errorf("--%s %s: it has to be %s; see %s --help", invalid.GetFlag().Name, invalid.GetValue(), kind, c.CommandPath())}
		}
	}
	return requestError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
}

// noEmptyFlags refuses a flag that was given an empty text, such as that of a shell variable which is not set.
func noEmptyFlags(c *cobra.Command, _ []string) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			what, _ := pflag.UnquoteUsage(f)
			err = requestError{fmt.Errorf(`--%s "": it is empty; write --%s %s, or leave it out`, f.Name, f.Name, what)}
		}
	})
	return err
}
