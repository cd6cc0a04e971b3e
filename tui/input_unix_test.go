//go:build unix

package tui

import (
	"os"
	"testing"
	"time"
)

func TestAKeyThatComesInPiecesIsReadWhole(t *testing.T) {
	for _, pieces := range [][]string{
		{"\x1b", "[A"}, {"\x1b[", "A"}, {"\x1b", "[", "1", ";5", "C"}, {"\x1bO", "P"}, {"j\x1b", "[B"}, {"\x1b[<0;1", "0;5M"},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for i, piece := range pieces {
				if i > 0 {
					time.Sleep(2 * time.Millisecond)
				}
				w.WriteString(piece)
			}
		}()
		var p [256]byte
		n, err := (&input{r, time.Minute}).Read(p[:])
		want := ""
		for _, piece := range pieces {
			want += piece
		}
		if got := string(p[:n]); err != nil || got != want {
			t.Errorf("%q is read as %q, %v", pieces, got, err)
		}
		r.Close()
		w.Close()
	}
}

func TestAWholeKeyIsNotWaitedFor(t *testing.T) {
	for typed, wait := range map[string]time.Duration{"j": time.Minute, "\x1b[A": time.Minute, "\x1bx": time.Minute, "\x1bOP": time.Minute, "\x1b[200~text": time.Minute, "\x1b": time.Millisecond} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.WriteString(typed)
		var p [256]byte
		if n, err := (&input{r, wait}).Read(p[:]); err != nil || string(p[:n]) != typed {
			t.Errorf("%q is read as %q, %v", typed, p[:n], err)
		}
		r.Close()
		w.Close()
	}
}
