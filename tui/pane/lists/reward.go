package lists

import (
	"fmt"

	"verge/runner/event"
	"verge/tui/theme"
)

// reward says what the policy was rewarded for the proposal with, part by part, as far as events tell.
func (d *document) reward(s *event.State, r *reading) {
	d.heading("Reward")
	say := func(format string, args ...any) { d.add(passage{indent: 2, text: fmt.Sprintf(format, args...)}) }
	p, v := r.detail.Proposal, r.detail.Validated
	switch {
	case p.Key.Stage != event.Train:
		d.add(passage{indent: 2, token: theme.Muted, text: fmt.Sprintf("none: proposals of stage %s train no policy", p.Key.Stage)})
	case p.Error != "":
		say("none: a proposal that could not be had is in no update")
	case v == nil:
		say("none yet: it is not validated")
	case !v.Validity.Valid && r.profile != nil:
		say("not valid: policy.invalid_reward, which cannot be told: %v", r.profile)
	case !v.Validity.Valid:
		say("not valid: policy.invalid_reward = %g", r.invalid)
	case len(r.detail.Scores) > 0:
		last := r.detail.Scores[len(r.detail.Scores)-1]
		say("valid, so the logit of probe %s: %+.3f", last.Probe, last.Logit)
	default:
		say("valid, and no probe scored it: an arm that pays for validity alone gives 0, one that pays by attempts 1 in band and 0 outside")
	}
}
