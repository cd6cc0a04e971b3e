package report

import (
	"bytes"
	"strings"
	"testing"

	"verge/runner/event"
)

func TestServersAreReported(t *testing.T) {
	started := event.RunStarted{Profile: "p", Arms: []string{"base"}, Attempts: 2, Low: .5, High: .5, Provenance: event.Provenance{Models: []event.Model{
		{Role: "generator", Backend: "ollama", Name: "small:1b", Digest: "abc", Served: &event.Served{Server: "0.17.4", Context: 1024}},
		{Role: "reference", Backend: "engine", Name: "micro", Digest: "def"},
	}}}
	if s := summarise(t, started); s.Served != nil {
		t.Errorf("without notices: %+v", s.Served)
	}
	s := summarise(t, started, event.BackendNoticed{Model: "small:1b", Loads: 1, Seconds: 2, Placement: &event.Placement{Context: 1024, Size: 8, VRAM: 2}},
		event.BackendNoticed{Model: "small:1b", Role: "generator", Outcomes: map[string]int{"ok": 5, "stream cut": 1}, Failed: 1})
	var out bytes.Buffer
	if err := WriteJSON(&out, s); err != nil {
		t.Fatal(err)
	}
	if err := Table(&out, s, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"digest":"abc","served":{"server":"0.17.4","context":1024`, `"served":{"calls":{"generator":{"ok":5,"stream cut":1}},"errors":1,"models":{"small:1b":{"loads":1,"load_s":2,"context":1024,"gpu_share":0.25}}}`,
		"0.17.4", "25.0 %", "5 ok, 1 stream cut",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %s:\n%s", want, out.String())
		}
	}
}
