package disk

import (
	"errors"
	"io/fs"
	"os"
)

// Open opens a file for reading. What is no file, though it has a name, is refused: reading a pipe or a device may wait for ever.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := Regular(info); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.Open(path)
}

// Regular says what something is that is no file.
func Regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("it is a folder, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return errors.New("it is a socket, not a file")
	case mode&fs.ModeDevice != 0:
		return errors.New("it is a device, not a file")
	}
	return errors.New("it is no ordinary file")
}
