//go:build !unix

package main

// ignoreFileLimit has nothing to do: this system has no signal for it.
func ignoreFileLimit() {}
