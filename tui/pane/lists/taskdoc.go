package lists

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/figure"
	"verge/tui/theme"
)

// taskDocument is all that is known of a task. prompts says whether the prompts of attempts are given in full.
func taskDocument(s *event.State, r *reading, prompts bool) document {
	var d document
	d.proposal(s, r)
	d.gates(r)
	d.answers(r)
	d.oracles(r, prompts)
	d.scores(r)
	d.reward(s, r)
	d.attempts(s, r, prompts)
	d.stamps(r)
	return d
}

// proposal is how the task came about: every turn of its episode.
func (d *document) proposal(s *event.State, r *reading) {
	p := r.detail.Proposal
	d.heading("Proposal " + p.Key.String())
	if v := r.detail.Validated; v != nil {
		d.add(passage{indent: 2, mark: "statement", glyph: theme.Muted, token: theme.Strong, text: v.Task.Statement})
		d.add(passage{indent: 2, mark: "type", glyph: theme.Muted, text: cmp.Or(v.Task.Type, "none")})
		if len(v.Task.Features) > 0 {
			var features []string
			for _, name := range slices.Sorted(maps.Keys(v.Task.Features)) {
				features = append(features, fmt.Sprintf("%s %.4g", name, v.Task.Features[name]))
			}
			d.add(passage{indent: 2, mark: "features", glyph: theme.Muted, text: strings.Join(features, ", ")})
		}
	}
	if p.Error != "" {
		d.add(passage{indent: 2, mark: theme.Broken, glyph: theme.Warn, token: theme.Warn, text: "the generator's reply could not be had: " + p.Error})
	}
	d.cue(s, p)
	d.turns(p.Episode, 2, true)
	d.add(passage{indent: 2, token: theme.Muted, text: figure.Counted(p.Tokens, "token") + " sampled"})
}

// cue is what a context policy had the prompt say: of each factor the option, named where the policy has told what it learned.
func (d *document) cue(s *event.State, p event.TaskProposed) {
	if len(p.Cue.Options) == 0 {
		return
	}
	a := s.Arm(p.Key.Arm)
	for i, o := range p.Cue.Options {
		name, option := fmt.Sprintf("factor %d", i+1), fmt.Sprintf("option %d", o+1)
		if a != nil && len(a.Contexts) > 0 && i < len(a.Contexts[0].Factors) {
			if f := a.Contexts[0].Factors[i]; o >= 0 && o < len(f.Options) {
				name, option = f.Name, cmp.Or(f.Options[o], "says nothing of it")
			}
		}
		d.add(passage{indent: 2, mark: name, glyph: theme.Muted, text: option})
	}
	if n := len(p.Cue.Exemplars); n > 0 {
		d.add(passage{indent: 2, mark: "exemplars", glyph: theme.Muted, text: fmt.Sprint(n)})
	}
}

// turns is what was asked and replied, turn by turn. Prompts are given in full or as their first line.
func (d *document) turns(e domains.Episode, indent int, full bool) {
	for i, turn := range e.Turns {
		which := ""
		if len(e.Turns) > 1 {
			which = fmt.Sprintf(" %d", i+1)
		}
		asked := promptText(turn.Prompt)
		if !full {
			asked = firstLine(asked)
		}
		d.add(passage{indent: indent, mark: "prompt" + which, glyph: theme.Muted, token: theme.Muted, text: asked})
		d.add(passage{indent: indent, mark: "reply" + which, glyph: theme.Muted, text: cmp.Or(turn.Reply, "(empty)")})
	}
}

// promptText is a prompt as it was sent: control tokens in angle brackets, the words of each speaker of a chat below their role.
func promptText(p prompt.Prompt) string {
	var b strings.Builder
	for _, part := range p {
		switch {
		case part.Control != "":
			b.WriteString("⟨" + part.Control + "⟩")
		case part.Role != "":
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString("⟨" + string(part.Role) + "⟩ " + part.Text)
		default:
			b.WriteString(part.Text)
		}
	}
	return cmp.Or(b.String(), "(empty)")
}

// collapsed is what is shown of a prompt that is not given in full.
const collapsed = 60

func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if runes := []rune(line); len(runes) > collapsed {
		line, more = string(runes[:collapsed]), true
	}
	if more {
		line += " …"
	}
	return line
}

// gates is what gates decided, validity in full.
func (d *document) gates(r *reading) {
	d.heading("Gates")
	if len(r.gates) == 0 {
		d.add(passage{indent: 2, token: theme.Muted, text: "no gate has decided"})
	}
	for _, g := range r.gates {
		reason, detail := g.Reason, g.Detail
		if v := r.detail.Validated; v != nil && g.Gate == board.Validity {
			reason, detail = v.Validity.Reason, v.Validity.Detail
		}
		glyph, token := theme.Pass, theme.Good
		said := g.Gate + ": passed"
		if !g.Pass {
			glyph, token = theme.Fail, theme.Bad
			said = g.Gate + ": refused, " + cmp.Or(reason, "for no stated reason")
		}
		if detail != "" {
			said += "; " + detail
		}
		d.add(passage{indent: 2, mark: glyph, glyph: token, text: said})
	}
}

// answers are kept apart: they are wrong in different ways.
func (d *document) answers(r *reading) {
	v := r.detail.Validated
	if v == nil {
		return
	}
	d.heading("Answers")
	oracle := v.Task.Oracle
	if n := len(r.detail.Oracles); n > 0 {
		oracle = r.detail.Oracles[n-1].Answer
	}
	for _, a := range []struct {
		of     string
		answer domains.Answer
	}{{"oracle", oracle}, {"claimed", v.Task.Claimed}, {"pseudo-label", v.Task.Pseudo}} {
		d.add(passage{indent: 2, mark: fmt.Sprintf("%-12s", a.of), glyph: theme.Muted, text: answerText(a.answer)})
	}
}

// oracles are the models that were asked for the answer, and what each said.
func (d *document) oracles(r *reading, prompts bool) {
	for _, o := range r.detail.Oracles {
		agreed := "not all of one mind"
		if o.Agreed {
			agreed = "of one mind"
		}
		d.heading(fmt.Sprintf("Oracle %d, %s", o.Oracle+1, agreed))
		for _, a := range o.Answers {
			if a.Error != "" {
				d.add(passage{indent: 2, mark: theme.Broken, glyph: theme.Warn, token: theme.Warn, text: a.Error})
				continue
			}
			d.add(passage{indent: 2, mark: "answer", glyph: theme.Muted, text: answerText(a.Answer)})
			d.turns(a.Episode, 4, prompts)
		}
	}
}

// happened names what a stamp is of.
var happened = map[string]string{
	event.TaskProposed{}.Name(): "proposed", event.TaskValidated{}.Name(): "validated", event.OracleAnswered{}.Name(): "oracles", event.ProbeScored{}.Name(): "scored",
	event.AttemptGraded{}.Name(): "attempted",
}

// stamps are when the task's events were stored. What a batch brings is stored at once.
func (d *document) stamps(r *reading) {
	if len(r.detail.Stamps) == 0 {
		return
	}
	const clock = "2006-01-02 15:04:05.0"
	d.heading("Stored, UTC")
	for _, s := range r.detail.Stamps {
		said := s.First.Format(clock)
		if s.Last.After(s.First) {
			said += fmt.Sprintf(" to %s, %.1f s later", s.Last.Format(clock), s.Last.Sub(s.First).Seconds())
		}
		d.add(passage{indent: 2, mark: fmt.Sprintf("%-12s", cmp.Or(happened[s.Event], s.Event)), glyph: theme.Muted, text: said})
	}
}

func answerText(a domains.Answer) string {
	if !a.Known {
		return "none"
	}
	return cmp.Or(a.Text, "(empty)")
}

func (d *document) scores(r *reading) {
	d.heading("Probes")
	if len(r.detail.Scores) == 0 {
		d.add(passage{indent: 2, token: theme.Muted, text: "no probe has scored it"})
	}
	for _, s := range r.detail.Scores {
		said := fmt.Sprintf("logit %+.3f", s.Logit)
		if s.Spread != nil {
			said += fmt.Sprintf(", standard deviation over the members %.3f", *s.Spread)
		}
		d.add(passage{indent: 2, mark: s.Probe, glyph: theme.Muted, text: said})
	}
}

// attempts is every attempt at the task.
func (d *document) attempts(s *event.State, r *reading, prompts bool) {
	right, graded := 0, 0
	for _, a := range r.detail.Attempts {
		switch a.Grading.Verdict {
		case domains.Right:
			right, graded = right+1, graded+1
		case domains.Wrong:
			graded++
		}
	}
	k := s.Run.Attempts
	said := fmt.Sprintf("Attempts: %d of %d", len(r.detail.Attempts), k)
	switch {
	case len(r.detail.Attempts) == 0:
		d.heading("Attempts: none")
		return
	case graded < k:
		said += fmt.Sprintf(", %d right of %d graded; the solve rate needs %d", right, graded, k)
	case s.Band().Holds(right, k):
		said += fmt.Sprintf(", %d right: in band %s", right, theme.InBand)
	default:
		said += fmt.Sprintf(", %d right: outside the band", right)
	}
	d.heading(said)
	for _, a := range r.detail.Attempts {
		d.attempt(a, prompts)
	}
}

func (d *document) attempt(a event.AttemptGraded, prompts bool) {
	glyph, token := theme.Verdict(a.Grading.Verdict)
	said := fmt.Sprintf("%d %s: answered %s", a.Attempt+1, a.Grading.Verdict, answerText(a.Grading.Answer))
	if a.Grading.Reason != "" {
		said += "; " + a.Grading.Reason
	}
	d.add(passage{indent: 2, mark: glyph, glyph: token, text: said + "; " + figure.Counted(a.Tokens, "token")})
	d.turns(a.Episode, 4, prompts)
	for _, step := range a.Steps {
		glyph, token := theme.Pass, theme.Good
		if !step.OK {
			glyph, token = theme.Fail, theme.Bad
		}
		d.add(passage{indent: 4, mark: glyph, glyph: token, token: theme.Muted, text: "step " + step.Mode + ": " + step.Text})
	}
}
