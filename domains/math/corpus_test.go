package math

import (
	"math/rand/v2"
	"strings"
	"testing"

	"verge/domains"
)

const draws = 20_000

func TestGeneratedStatementsAreOfTheirType(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			for level := 1; level <= levels; level++ {
				r := rand.New(rand.NewPCG(1, uint64(level)))
				right := 0
				for range 200 {
					if p, f := parse(k.draw(r, level)); f == nil && p.question.kind() == k.name {
						right++
					}
				}
				if right < 150 {
					t.Errorf("level %d: %d of 200 draws are valid and of the type", level, right)
				}
			}
		})
	}
}

func TestEverySpoilerCanSpoil(t *testing.T) {
	for _, reason := range reasons {
		for i, spoil := range reason.spoilers {
			r := rand.New(rand.NewPCG(2, uint64(i)))
			found := 0
			for range 400 {
				if _, f := parse(spoil(r, 1+r.IntN(levels))); f != nil && f.reason == reason.name {
					found++
				}
			}
			if found < 80 {
				t.Errorf("%s, spoiler %d: %d of 400 draws are invalid for the reason", reason.name, i, found)
			}
		}
	}
}

func TestExamplesAreShortPrintableAndTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var d Domain
	count := map[string]int{}
	for range draws {
		e := d.Example(r)
		text := e.Prompt.String() + e.Completion
		var plain int
		for _, part := range e.Prompt {
			plain += len(part.Text)
		}
		if plain+len(e.Completion) > 200 {
			t.Fatalf("%q has more than 200 bytes", text)
		}
		if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }); i >= 0 {
			t.Fatalf("%q has an unprintable byte at %d", text, i)
		}
		role := e.Prompt[1].Control
		task := domains.Task{Statement: ""}
		if len(e.Prompt) > 2 {
			task.Statement = e.Prompt[2].Text
		}
		v := d.Validate(&task)
		attempt := domains.Episode{Turns: []domains.Turn{{Reply: e.Completion}}}
		switch role {
		case controlPropose:
			proposal := d.ReadProposal(domains.Compact, attempt)
			if pv := d.Validate(&proposal); pv.Valid {
				role = "propose valid"
			} else {
				role = "propose " + pv.Reason
			}
		case controlSolve, controlSteps:
			style := domains.Direct
			if role == controlSteps {
				style = domains.Steps
			}
			switch {
			case !v.Valid && e.Completion != Invalid:
				t.Fatalf("%q answers an invalid statement", text)
			case v.Valid && d.Grade(domains.Compact, style, task, attempt).Verdict != domains.Right:
				t.Fatalf("%q is not right", text)
			}
			if v.Valid {
				for _, step := range d.Steps(task, attempt) {
					if !step.OK {
						t.Fatalf("%q: the step %q is not OK", text, step.Text)
					}
				}
			}
			if len(e.Prompt) > 4 && d.Leaks(task, e.Prompt[4].Text) {
				t.Fatalf("%q gives the answer away", text)
			}
		case controlValid:
			if yes, ok := d.ReadVerdict(e.Completion); !ok || yes != v.Valid {
				t.Fatalf("%q is false", text)
			}
			role += " " + e.Completion
		case controlSame:
			other := domains.Task{Statement: e.Prompt[4].Text}
			d.Validate(&other)
			if yes, ok := d.ReadVerdict(e.Completion); !ok || yes != (task.Type == other.Type) {
				t.Fatalf("%q is false", text)
			}
			role += " " + e.Completion
		case controlHint:
			if e.Completion == "" || d.Leaks(task, e.Completion) {
				t.Fatalf("%q is no hint", text)
			}
		}
		count[role]++
	}
	t.Log(count)
}
