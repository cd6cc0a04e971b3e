package pane

import (
	"testing"

	"verge/profiles"
)

// The pipeline knows every arm of the profile that has them all.
func TestThePipelineKnowsTheArmsOfPROPEL(t *testing.T) {
	p, err := profiles.Load("propel-math", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range p.Run.Arms {
		if _, known := propelArms[arm]; !known {
			t.Errorf("arm %s is not known", arm)
		}
	}
}
