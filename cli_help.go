package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"verge/internal/typo"
)

// fitHelp keeps the help of a command and of those below it within helpWidth.
func fitHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("reflow", func(s string) string { return reflow(s, helpWidth) })
	root.SetHelpTemplate(strings.Replace(root.HelpTemplate(), "{{. | trim", "{{. | reflow | trim", 1))
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ", fmt.Sprintf("Flags.FlagUsagesWrapped %d ", helpWidth)))
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does and takes",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil {
				return requestError{err}
			}
			if len(rest) > 0 {
				return noCommand(found, rest[0])
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// completions makes the commands that write a shell's completion answer a wrong request as the others do.
func completions(root *cobra.Command) {
	root.CompletionOptions.HiddenDefaultCmd = true
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("verge: cobra makes no completion command: " + err.Error())
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noCommand(c, args[0])
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, shell := range c.Commands() {
		shell.Args = noArguments
	}
}

func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !c.HasParent():
		return noCommand(c, args[0])
	}
	return requestError{fmt.Errorf("%s takes no argument, got %q", c.CommandPath(), args[0])}
}

// got words the arguments of a command that takes another number of them.
func got(args []string) string {
	switch len(args) {
	case 0:
		return "got none"
	case 1:
		return fmt.Sprintf("got %q alone", args[0])
	}
	return fmt.Sprintf("got %d: %s", len(args), strings.Trim(fmt.Sprintf("%q", args), "[]"))
}

// noCommand says that a command has no such command below it.
func noCommand(c *cobra.Command, name string) error {
	if !c.HasSubCommands() {
		return requestError{fmt.Errorf("%s has no commands of its own, got %q", c.CommandPath(), name)}
	}
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	hint := ""
	if n := typo.Nearest(name, names); n != "" {
		hint = "nearest is " + n + "; "
	}
	return requestError{fmt.Errorf("%q is no command of %s; %ssee %s --help", name, c.CommandPath(), hint, c.CommandPath())}
}
