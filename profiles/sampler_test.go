package profiles

import (
	"strings"
	"testing"
)

func TestAPolicyWithoutWeightsIsSampledWhereItIs(t *testing.T) {
	_, err := Parse("f.toml", "policy.kind = 'context'\npolicy.sampler = 'ollama'", nil)
	if err == nil || !strings.Contains(err.Error(), `f.toml:2: policy.sampler = "ollama"`) || !strings.Contains(err.Error(), `policy.kind = "lora"`) {
		t.Errorf("error %v", err)
	}
}
