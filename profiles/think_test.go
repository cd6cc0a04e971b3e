package profiles

import "testing"

func TestThinkIsReadBackAsItIsWritten(t *testing.T) {
	for text, want := range map[string]Think{"true": "on", "false": "", `"low"`: "low", `"high"`: "high"} {
		p, err := Parse("mine.toml", "extends = 'propel-math-ollama'\nroles.judge.think = "+text, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Parse("back.toml", p.Resolved(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Roles.Judge.Think != want || back.Roles.Judge.Think != want || p.Value("roles.judge.think") != text {
			t.Errorf("%s is %q, written as %s, read back as %q", text, p.Roles.Judge.Think, p.Value("roles.judge.think"), back.Roles.Judge.Think)
		}
	}
	if p, err := Load("propel-math-ollama", []string{"roles.judge.think=medium"}); err != nil || p.Roles.Judge.Think != "medium" {
		t.Errorf("--set: %v", err)
	}
}
