package lists

import (
	"strings"
	"testing"

	"verge/runner/event"
	"verge/tui/fixture"
)

func TestATaskShowsItsCueAndWhatOraclesAnswered(t *testing.T) {
	s := fixture.NewSession(fixture.Steered())
	d, err := s.Detail(event.Key{Arm: "propel", Stage: event.Train})
	if err != nil {
		t.Fatal(err)
	}
	document := taskDocument(s.Board().State, &reading{detail: d}, true)
	var text strings.Builder
	for _, p := range document {
		text.WriteString(p.mark + " " + p.text + "\n")
	}
	for _, want := range []string{"topic shopping", "difficulty says nothing of it", "exemplars 1", "oracle       7", "It is \\boxed{7}", "the server went away"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not shown:\n%s", want, text.String())
		}
	}
}
