// Package walkthrough leads a class through a recipe's loop on a run of the embedded model, one stage at a time: what the stage does, its
// formula with the run's own numbers, what to watch, a question before the next key press, and what would break it. The run is a real one; it
// is held where each page speaks of it.
package walkthrough

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// beat is how much of a page is shown.
type beat int

const (
	watch  beat = iota // what to watch
	asked              // the question
	solved             // its answer, and what would break the stage
)

// Screen is the walkthrough of one recipe. It implements screen.Screen.
type Screen struct {
	env    *screen.Env
	lesson Lesson
	state  *state
	run    session.Session
	ends   ends
	beat   beat

	example example           // as last read; its zero value before that
	looking bool              // it is being read
	asked   *profiles.Profile // what the run was asked to do; nil until it has started
	// resumed says that the run was begun by an earlier walk: if it cannot go on, a new one takes its place.
	resumed bool
}

// Lesson is a recipe's walkthrough.
type Lesson struct {
	Recipe  string
	Profile string   // of the run that it leads through
	Sets    []string // changes to it
	pages   []page
	// phase orders a run's events by the part of the loop that they belong to; the run is held before the first of a later part than the
	// page's. What it has to remember is made anew for each walk.
	phase func() func(event.Event) int
}

// page is one page of a lesson.
type page struct {
	title    string
	phase    int    // the last that has happened while the page is shown
	says     string // what the stage does
	formula  func(v view) []string
	picture  func(v view, width, height int) []string
	watch    string
	question string
	answer   string
	breaks   string
	ends     bool // shows runs at both ends of the KL's weight
	example  bool // shows a task in full
	// more says whether a step of the run brings another row to the page; nil: the page has no rows that do.
	more func(corpus *event.Tally) bool
}

// Lessons are the recipes that have a walkthrough.
func Lessons() []string { return []string{"propel"} }

// Find is the lesson of a recipe, or an error that lists those there are.
func Find(recipe string) (Lesson, error) {
	if recipe == "propel" {
		return propel(), nil
	}
	return Lesson{}, fmt.Errorf("there is no walkthrough of %q; there is one of %s", recipe, strings.Join(Lessons(), ", "))
}

// Open begins a lesson, or goes on with one that was left, at the page where it was. It may take a while.
func Open(env *screen.Env, l Lesson) (*Screen, error) {
	s := &Screen{env: env, lesson: l}
	var err error
	if s.state, err = load(env.Out, l.Recipe); err != nil {
		return nil, err
	}
	s.state.Page = min(s.state.Page, len(l.pages)-1)
	if err := s.openRun(); err != nil {
		return nil, err
	}
	return s, s.state.save()
}

// Title implements screen.Screen.
func (s *Screen) Title() string {
	return fmt.Sprintf("walkthrough of %s %s page %d of %d", s.lesson.Recipe, theme.Separator, s.state.Page+1, len(s.lesson.pages))
}

func (s *Screen) page() page { return s.lesson.pages[s.state.Page] }

// Scopes implements screen.Screen.
func (s *Screen) Scopes() []keys.Scope { return []keys.Scope{keys.Walkthrough} }

// Refusal implements screen.Screen.
func (s *Screen) Refusal(a keys.Action) string {
	switch {
	case a == keys.Previous && s.state.Page == 0 && s.beat == watch:
		return "this is the first page"
	case a == keys.Next && s.last() && s.beat == solved:
		return "this was the last page; q leaves, o shows the run's panes"
	case a == keys.StepProposal:
		return s.noStep()
	}
	return ""
}

// noStep is why a step of the run would bring nothing to the page.
func (s *Screen) noStep() string {
	more, b := s.page().more, s.run.Board()
	switch {
	case more == nil:
		return "this page shows no single tasks"
	case b.Run != nil && !more(b.Corpus):
		return "the run has been past this page; R begins anew"
	}
	return s.run.Control().Refusal(session.StepProposal)
}

func (s *Screen) last() bool { return s.state.Page == len(s.lesson.pages)-1 }

// Do implements screen.Screen.
func (s *Screen) Do(a keys.Action) tea.Cmd {
	switch a {
	case keys.Next:
		if s.beat < solved {
			s.beat++
			return nil
		}
		return s.turn(1)
	case keys.Previous:
		if s.beat > watch {
			s.beat--
			return nil
		}
		return s.turn(-1)
	case keys.StepProposal:
		s.run.Control().Do(session.StepProposal, 0)
	case keys.Open:
		return func() tea.Msg { return screen.Go{Screen: s.env.Run(s.run)} }
	case keys.Restart:
		return s.restart()
	}
	return nil
}

func (s *Screen) turn(by int) tea.Cmd {
	s.state.Page += by
	s.beat = watch
	s.lead()
	return tea.Batch(complain(s.state.save()), s.startEnds(), s.lookUp())
}

// Reading implements screen.Screen.
func (s *Screen) Reading() bool { return false }

// Type implements screen.Screen.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Receive implements screen.Screen.
func (s *Screen) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case screen.Tick:
		if s.resumed && s.run.Status().State == session.Failed {
			s.resumed = false
			return s.anew()
		}
		if run := s.run.Board().Run; run != nil && s.asked == nil {
			asked, err := profiles.Parse(run.Profile, run.Resolved, nil)
			if err != nil {
				return complain(err)
			}
			s.asked = asked
		}
		return tea.Batch(s.startEnds(), s.lookUp())
	case example:
		s.looking = false
		if m.of == s.run {
			s.example = m
		}
	case startedEnd:
		return s.takeEnd(m)
	case reopened:
		return s.takeUp(m)
	}
	return nil
}

// Back implements screen.Screen.
func (s *Screen) Back() bool { return false }

// View implements screen.Screen.
func (s *Screen) View(width, height int) []string {
	const margin = 2
	t, p := s.env.Theme, s.page()
	w := max(1, min(width, 110)-2*margin)
	v := view{s.run.Board(), s.run.Status(), t, s.ends.views(), s.asked, s.example}
	foot := s.foot(t, p, w)
	lines := []string{t.Paint(theme.Strong, fmt.Sprintf("%d. %s", s.state.Page+1, p.title)) + t.Paint(theme.Muted, "   "+s.standing(v))}
	lines = append(lines, text.Wrap(p.says, w)...)
	if p.formula != nil {
		lines = append(lines, "")
		for _, line := range p.formula(v) {
			lines = append(lines, "  "+line)
		}
	}
	if room := height - len(lines) - len(foot) - 1; p.picture != nil && room >= 3 {
		lines = append(lines, "")
		lines = append(lines, p.picture(v, w, min(room-1, 16))...)
	}
	// The foot stays at the bottom, so that turning pages does not make it jump; it wins where there is not room for all.
	for len(lines) < height-len(foot) {
		lines = append(lines, "")
	}
	lines = append(lines[:max(0, height-len(foot))], foot...)
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", margin) + text.Cut(line, w)
	}
	return lines
}

// standing says how far the run is behind the page, if it is.
func (s *Screen) standing(v view) string {
	switch st := v.Status; {
	case st.State == session.Failed || st.Error != "":
		return theme.Fail + " the run failed: " + text.Safe(st.Error)
	case st.State == session.Running && st.Progress.Total > 0 && st.Progress.Done < st.Progress.Total:
		p := st.Progress
		what := p.Stage
		if p.Arm != p.Stage {
			what = p.Arm + " " + p.Stage
		}
		return fmt.Sprintf("%s %s %s of %s %s", theme.Running, text.Safe(what), figure.Count(p.Done), figure.Count(p.Total), p.Unit)
	}
	return ""
}

// foot is what is below a page's picture, by beat.
func (s *Screen) foot(t *theme.Theme, p page, width int) []string {
	part := func(token theme.Token, label, words string) []string {
		lines := text.Wrap(label+words, width)
		if len(lines) > 0 {
			lines[0] = t.Paint(token, label) + strings.TrimPrefix(lines[0], label)
		}
		return lines
	}
	rule := t.Paint(theme.Border, strings.Repeat("─", width))
	out := []string{rule}
	switch s.beat {
	case watch:
		out = append(out, part(theme.Accent, "Watch: ", p.watch)...)
	case asked:
		out = append(out, part(theme.Warn, "Question: ", p.question)...)
	case solved:
		out = append(out, part(theme.Good, "Answer: ", p.answer)...)
		out = append(out, part(theme.Bad, "What would break it: ", p.breaks)...)
	}
	return out
}
