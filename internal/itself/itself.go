// Package itself finds the program that runs, for processes of it that do a part of the work.
package itself

import "os"

// Path is the program that runs, also one whose file has been replaced or removed since, where the system has a name for that.
func Path() (string, error) {
	const link = "/proc/self/exe"
	if _, err := os.Stat(link); err == nil {
		return link, nil
	}
	return os.Executable()
}
