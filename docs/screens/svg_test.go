package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAPictureIsWellFormedAndSaysWhatTheScreenSays(t *testing.T) {
	screen := "\x1b[1mbold\x1b[0m <plain> & \"quoted\"\n\x1b[38;5;117mblue\x1b[39m \x1b[48;2;1;2;3mback\x1b[49m\x1b[7mturned\x1b[27m 漢字 x\n\x1b[31;4mred\x1b[m\x1b[?25h\n"
	drawn := svg(screen, 40, 3)
	var text strings.Builder
	d := xml.NewDecoder(strings.NewReader(drawn))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, drawn)
		}
		if c, ok := token.(xml.CharData); ok {
			text.WriteString(strings.TrimSpace(string(c)) + " ")
		}
	}
	if got := strings.Join(strings.Fields(text.String()), " "); got != `bold <plain> & "quoted" blue back turned 漢字 x red` {
		t.Errorf("it says %q", got)
	}
	for _, want := range []string{`font-weight="bold"`, `#87d7ff`, `#010203`} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%s is not in it:\n%s", want, drawn)
		}
	}
	// x stands after 10 cells of words and the spaces between: the wide characters take two each.
	if !strings.Contains(drawn, `>x</text>`) {
		t.Error("the last word is missing")
	}
}
