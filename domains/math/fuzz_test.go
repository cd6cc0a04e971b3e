package math

import (
	"slices"
	"strings"
	"testing"
	"time"

	"verge/domains"
)

// FuzzText holds the domain to its promises on any text: no panic, no delay, a listed reason or a type with an oracle and a
// worked solution that holds.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "47+85", "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", strings.Repeat("9^", 31) + "9", "999999999^999999999",
		"-1^999999999", "(1-2)^999999999", "x=999999999,999999999x+999999999y=999999999", "999999999x+999999998y=999999997,999999997x-999999998y=1",
		"999999999x^2-999999999x+999999999=0", "x^2-2x+1=0", "max(-999999999,999999999)", "gcd(999999999,999999998,-999999997)", "avg(999999999,-999999999)",
		"dsum(999999999)", "999999999/1of999999999", "999999999,-999999999,999999999,-999999999,?", "Ann has some. She gets ? more. How many?",
		"why ", "prove x", "1,2,3,5,?", "x+y=0,x-y=0", "-3x=9", "x-5=2x", "y=4,5x+3y=22", "2y=6,x+y=4", "3x+2y=7,5x-3y=-1", "0x+y=3,x=1",
		"\xff\xfe", "(-3)*(-4)=12;12", "max(1,2)=2;9223372036854775807+9223372036854775807=-2", "2^(3-1)*2", "10%(2+1)",
	} {
		f.Add(s)
	}
	var d Domain
	reasons, types, modes := d.Reasons(), d.Types(), d.Modes()
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		proposal := d.ReadProposal(domains.Compact, reply(text))
		v := d.Validate(&proposal)
		if !v.Valid && !slices.Contains(reasons, v.Reason) {
			t.Errorf("%q has the reason %q", text, v.Reason)
		}
		d.Skeleton(proposal)
		d.Leaks(proposal, text)
		sum := domains.Task{Statement: "47+85", Oracle: domains.Some("132")}
		d.Grade(domains.Compact, domains.Steps, sum, reply(text))
		for _, step := range d.Steps(sum, reply(text)) {
			if !slices.Contains(modes, step.Mode) {
				t.Errorf("the step %+v has no listed mode", step)
			}
		}
		if v.Valid {
			p, _ := parse(proposal.Statement)
			if !slices.Contains(types, proposal.Type) || !proposal.Oracle.Known || !isCanonical(proposal.Oracle.Text) {
				t.Errorf("%q is valid, and filled in as %+v", text, proposal)
			}
			for _, step := range d.Steps(proposal, reply(p.worked())) {
				if !step.OK || !slices.Contains(modes, step.Mode) {
					t.Errorf("%q: %q has the step %+v", text, p.worked(), step)
				}
			}
			if d.Leaks(proposal, p.hint()) {
				t.Errorf("%q: the hint %q gives the answer away", text, p.hint())
			}
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q took %v", text, took)
		}
	})
}

// TestLongTexts holds the domain to linear time on replies that no context of a micro model can hold.
func TestLongTexts(t *testing.T) {
	var d Domain
	for _, unit := range []string{"9", "(", "7+5=12;", ";", "9,", "x+", "why ", "\x00"} {
		text := strings.Repeat(unit, 50_000)
		start := time.Now()
		proposal := d.ReadProposal(domains.Compact, reply(text))
		if v := d.Validate(&proposal); v.Valid || v.Reason != Malformed || len(v.Detail) > 4*MaxBytes {
			t.Errorf("%q repeated is %v, %s, with %d bytes of detail", unit, v.Valid, v.Reason, len(v.Detail))
		}
		d.Skeleton(proposal)
		d.Grade(domains.Compact, domains.Steps, proposal, reply(text))
		d.Steps(proposal, reply(text))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q repeated took %v", unit, took)
		}
	}
}
