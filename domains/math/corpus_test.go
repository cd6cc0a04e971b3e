package math

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verge/domains"
	"verge/domains/prompt"
)

func TestDrawsOfATypeAreNearlyAlwaysValidAndOfIt(t *testing.T) {
	for _, k := range kinds {
		for level := 1; level <= levels; level++ {
			r := rand.New(rand.NewPCG(1, uint64(level)))
			right := 0
			for range 200 {
				if p, f := parse(k.draw(r, level)); f == nil && p.question.kind() == k.name {
					right++
				}
			}
			if right < 150 {
				t.Errorf("%s, level %d: %d of 200 draws are valid and of the type", k.name, level, right)
			}
		}
	}
}

func TestEverySpoilerSpoils(t *testing.T) {
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

func TestInvalidStatementsAreInvalidForTheirReason(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	if len(reasons) != len(Domain{}.Reasons()) {
		t.Errorf("%d reasons are drawn, of %d", len(reasons), len(Domain{}.Reasons()))
	}
	for _, reason := range reasons {
		for range 1000 {
			task := domains.Task{Statement: invalidFor(r, reason)}
			if v := (Domain{}).Validate(&task); v.Valid || v.Reason != reason.name || v.Detail == "" {
				t.Fatalf("%q is meant to be %s, and is %+v", task.Statement, reason.name, v)
			}
		}
	}
}

func TestWorkedSolutionsHoldAndEndInTheOracle(t *testing.T) {
	var d Domain
	modes := d.Modes()
	for _, k := range kinds {
		for level := 1; level <= levels; level++ {
			r := rand.New(rand.NewPCG(4, uint64(level)))
			for range 100 {
				s, p := statementOf(r, k, level)
				task := domains.Task{Statement: s}
				if v := d.Validate(&task); !v.Valid || task.Type != k.name {
					t.Fatalf("%q is drawn as %s, and validated as %q: %+v", s, k.name, task.Type, v)
				}
				attempt := reply(p.worked())
				if g := d.Grade(domains.Compact, domains.Steps, task, attempt); g.Verdict != domains.Right {
					t.Fatalf("%q: %q is graded %+v", s, p.worked(), g)
				}
				for _, step := range d.Steps(task, attempt) {
					if !step.OK || !slices.Contains(modes, step.Mode) {
						t.Fatalf("%q: %q has the step %+v", s, p.worked(), step)
					}
				}
				if d.Leaks(task, p.hint()) {
					t.Fatalf("%q: the hint %q gives the answer away", s, p.hint())
				}
			}
		}
	}
}

func TestExamplesAreDeterministic(t *testing.T) {
	a, b := rand.New(rand.NewPCG(5, 5)), rand.New(rand.NewPCG(5, 5))
	for range 500 {
		if x, y := (Domain{}).Example(a), (Domain{}).Example(b); !reflect.DeepEqual(x, y) {
			t.Fatalf("the same state gives %q %q and %q %q", x.Prompt, x.Completion, y.Prompt, y.Completion)
		}
	}
}

func TestExamplesAreShortPrintableAndTrue(t *testing.T) {
	const draws = 20_000
	r := rand.New(rand.NewPCG(6, 6))
	controls := Domain{}.Controls()
	count := map[string]float64{}
	for range draws {
		e := Domain{}.Example(r)
		bytes := len(e.Completion)
		for _, part := range e.Prompt {
			bytes += len(part.Text)
			if part.Control != "" && !slices.Contains(controls, part.Control) {
				t.Fatalf("%v uses the control token %q, which is not listed", e.Prompt, part.Control)
			}
		}
		text := e.Prompt.String() + e.Completion
		if bytes > 200 {
			t.Fatalf("%q has %d bytes", text, bytes)
		}
		if i := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }); i >= 0 {
			t.Fatalf("%q has an unprintable byte at %d", text, i)
		}
		if problem := falsehood(e); problem != "" {
			t.Fatalf("%q: %s", text, problem)
		}
		role := e.Prompt[1].Control
		count[role]++
		switch role {
		case controlPropose:
			if _, f := parse(e.Completion); f == nil {
				count["propose valid"]++
			}
		case controlSame, controlValid:
			count[role+" "+e.Completion]++
		}
	}
	for _, want := range []struct {
		part, whole string
		low, high   float64
	}{
		{controlPropose, "", 0.24, 0.26},
		{controlSteps, "", 0.11, 0.15},
		{"propose valid", controlPropose, 0.98 - invalidProposals, 1.02 - invalidProposals},
		{"valid yes", controlValid, 0.45, 0.55},
		{"same yes", controlSame, 0.45, 0.55},
	} {
		whole := float64(draws)
		if want.whole != "" {
			whole = count[want.whole]
		}
		if share := count[want.part] / whole; share < want.low || share > want.high {
			t.Errorf("the share of %q is %.3f, not within %v to %v", want.part, share, want.low, want.high)
		}
	}
}

// falsehood says what an example teaches that is not so.
func falsehood(e domains.Example) string {
	var d Domain
	var texts []string
	for _, part := range e.Prompt {
		if part.Control == "" {
			texts = append(texts, part.Text)
		}
	}
	var task domains.Task
	if len(texts) > 0 {
		task.Statement = texts[0]
	}
	valid := d.Validate(&task).Valid
	switch role := e.Prompt[1].Control; role {
	case controlSolve, controlSteps:
		style := domains.Direct
		if role == controlSteps {
			style = domains.Steps
		}
		if len(texts) > 1 && d.Leaks(task, texts[1]) {
			return "the hint gives the answer away"
		}
		if !valid && e.Completion != Invalid {
			return "an invalid statement is answered"
		}
		if valid && d.Grade(domains.Compact, style, task, reply(e.Completion)).Verdict != domains.Right {
			return "the answer is wrong"
		}
	case controlValid:
		if yes, ok := d.ReadVerdict(e.Completion); !ok || yes != valid {
			return "the verdict is wrong"
		}
	case controlSame:
		other := domains.Task{Statement: texts[1]}
		otherValid := d.Validate(&other).Valid
		if yes, ok := d.ReadVerdict(e.Completion); !valid || !otherValid || !ok || yes != (task.Type == other.Type) {
			return "the verdict is wrong"
		}
	case controlHint:
		if e.Completion == "" || d.Leaks(task, e.Completion) {
			return "the hint is none, or gives the answer away"
		}
	}
	return ""
}

func TestNeighboursAreOtherTypes(t *testing.T) {
	types := Domain{}.Types()
	for _, k := range kinds {
		for _, n := range k.neighbours {
			if n == k.name || !slices.Contains(types, n) {
				t.Errorf("%s has the neighbour %q", k.name, n)
			}
		}
	}
}

// reply is an attempt of one turn.
func reply(text string) domains.Episode {
	return domains.Episode{Turns: []domains.Turn{{Prompt: prompt.Prompt{prompt.Control(Name)}, Reply: text}}}
}
