package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Open opens a file for reading, unless Regular refuses it.
func Open(path string) (*os.File, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// ReadFile reads a whole file, unless Regular refuses it.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Regular refuses what is not there, and what is no file though it has a name: opening a pipe or reading a device may wait for ever. The
// error is an *fs.PathError.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	problem := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		problem = "it is a folder, not a file"
	case mode&fs.ModeNamedPipe != 0:
		problem = "it is a pipe, not a file"
	case mode&fs.ModeSocket != 0:
		problem = "it is a socket, not a file"
	case mode&fs.ModeDevice != 0:
		problem = "it is a device, not a file"
	default:
		problem = "it is no ordinary file"
	}
	return &fs.PathError{Op: "open", Path: path, Err: errors.New(problem)}
}
