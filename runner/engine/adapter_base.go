package engine

import (
	"fmt"

	"verge/internal/disk"
)

// AdapterBase reads from an adapter's file which model it was trained on: general.name and the sha256 of its file, in hexadecimal.
func AdapterBase(path string) (name, digest string, err error) {
	file, err := disk.Open(path)
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", "", err
	}
	f, err := openGGUF(file, info.Size())
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	if digest, err = value[string](f, baseDigestKey); err != nil {
		return "", "", fmt.Errorf("%s: the adapter does not say which model it belongs to: %w", path, err)
	}
	if name, err = value[string](f, baseNameKey); err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	return name, digest, nil
}
