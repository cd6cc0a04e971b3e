package home

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"verge/profiles"
	"verge/runner/store"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// entry is a row of a list.
type entry interface {
	id() string // the same from one reading to the next
	cells(now time.Time) []rows.Cell
	detail(now time.Time) []rows.Cell // what is said of the selected one, a paragraph each, what matters most first
	words() string                    // that a filter looks in
	began() time.Time
	state() store.State
	ranked() *float64 // the figure of its headline; nil: none
}

// profileEntry is a profile that ships or that a file in the working directory holds.
type profileEntry struct {
	name    string            // by which it is loaded
	profile *profiles.Profile // nil of a file that holds none
	err     error             // why
	hash    string            // of the profile
	cost    *cost             // nil until it has been worked out
}

// cost is what a run of a profile takes.
type cost struct {
	hash  string // of the profile
	runs  int    // that were done when it was worked out
	takes figure.Cost
}

// inWords is the cost as a sentence.
func (c *cost) inWords() string {
	if c == nil {
		return "What it takes is being worked out from the runs that are stored" + text.Ellipsis
	}
	return c.takes.String()
}

var profileColumns = []rows.Column{
	{Head: "profile", Min: 14, Max: 28, Whole: true}, {Head: "what it is", Min: 14, Max: 44, Rank: 1, Whole: true}, {Head: "recipe", Min: 7, Rank: 4}, {Head: "domain", Min: 6, Rank: 5},
	{Head: "arms", Min: 4, Right: true, Rank: 3}, {Head: "attempts", Min: 9, Right: true, Rank: 2}, {Head: "time", Min: 9, Right: true},
}

func (p profileEntry) id() string         { return p.name }
func (p profileEntry) began() time.Time   { return time.Time{} }
func (p profileEntry) state() store.State { return "" }
func (p profileEntry) ranked() *float64   { return nil }

func (p profileEntry) cells(time.Time) []rows.Cell {
	if p.err != nil {
		return []rows.Cell{{Text: p.name}, {Text: theme.Broken + " " + p.err.Error(), Token: theme.Bad}, {}, {}, {}, {}, {Text: theme.Broken + " wrong", Token: theme.Bad}}
	}
	attempts, took := text.Ellipsis, rows.Cell{Text: text.Ellipsis, Token: theme.Muted}
	if p.cost != nil {
		attempts, took.Text = figure.Count(p.cost.takes.Attempts), "not known"
		if t := p.cost.takes.Time; t > 0 {
			took = rows.Cell{Text: "~ " + figure.About(t)}
		}
	}
	return []rows.Cell{{Text: p.name}, {Text: p.profile.Title, Token: theme.Muted}, {Text: p.profile.Run.Recipe}, {Text: p.profile.Run.Domain},
		{Text: strconv.Itoa(len(p.profile.Run.Arms))}, {Text: attempts}, took}
}

func (p profileEntry) detail(time.Time) []rows.Cell {
	if p.err != nil {
		return []rows.Cell{{Text: p.err.Error(), Token: theme.Bad}, {Text: "The file is no profile, or one that has to be mended; verge run " + p.name + " says the same.", Token: theme.Muted}}
	}
	return []rows.Cell{{Text: p.profile.Description}, {Text: p.cost.inWords(), Token: theme.Muted}, {Text: "Arms: " + strings.Join(p.profile.Run.Arms, ", "), Token: theme.Muted}}
}

func (p profileEntry) words() string {
	if p.err != nil {
		return p.name + " " + p.err.Error()
	}
	return strings.Join([]string{p.name, p.profile.Title, p.profile.Description, p.profile.Run.Recipe, p.profile.Run.Domain, strings.Join(p.profile.Run.Arms, " ")}, " ")
}

// runEntry is a stored run.
type runEntry struct {
	store.RunInfo
	mark string           // "A" or "B" of a run that is marked
	live *screen.Standing // of a run that this process carries out; else nil
}

var runColumns = []rows.Column{
	{Min: 1}, {Head: "run", Min: 14, Max: 30, Whole: true}, {Head: "recipe", Min: 7, Rank: 4}, {Head: "seed", Min: 4, Max: 6, Right: true, Rank: 1},
	{Head: "settings", Min: 10, Max: 40, Rank: 2}, {Head: "headline", Min: 19, Max: 60}, {Head: "age", Min: 6, Right: true}, {Head: "tags", Min: 8, Max: 30, Rank: 3},
}

func (r runEntry) id() string         { return r.Dir }
func (r runEntry) began() time.Time   { return r.Started }
func (r runEntry) state() store.State { return r.State }
func (r runEntry) ranked() *float64   { return r.Figure }

func (r runEntry) cells(now time.Time) []rows.Cell {
	glyph, token := r.glyph()
	name := rows.Cell{Text: timeless(r.Run)}
	if r.mark != "" {
		name = rows.Cell{Text: r.mark + " " + name.Text, Token: theme.Accent}
	}
	return []rows.Cell{{Text: glyph, Token: token}, name, {Text: r.Recipe}, {Text: strconv.FormatUint(r.Seed, 10)}, r.settings(), r.figure(),
		{Text: figure.Age(now.Sub(r.Started)), Token: theme.Muted}, {Text: strings.Join(r.Tags, " "), Token: theme.SeriesC}}
}

// settings is what was set over the profile, in short without the tables of the keys.
func (r runEntry) settings() rows.Cell {
	short := make([]string, len(r.Settings))
	for i, s := range r.Settings {
		key, value, _ := strings.Cut(s, "=")
		short[i] = key[strings.LastIndexByte(key, '.')+1:] + "=" + value
	}
	return rows.Cell{Text: strings.Join(r.Settings, " "), Short: strings.Join(short, " "), Token: theme.Muted}
}

// figure is the headline, or what there is instead of one.
func (r runEntry) figure() rows.Cell {
	if r.Headline != "" {
		return headlineCell(r.Headline)
	}
	_, token := r.glyph()
	c := rows.Cell{Text: r.standing(), Token: token}
	if r.live != nil && r.live.Progress.Total > 0 {
		p := r.live.Progress
		c.Short = c.Text
		c.Text += fmt.Sprintf(" %s %s %s %s/%s", theme.Separator, p.Arm, p.Stage, figure.Count(p.Done), figure.Count(p.Total))
	}
	return c
}

// standing is the run's state in a word.
func (r runEntry) standing() string {
	switch {
	case r.live == nil:
		return string(r.State)
	case r.live.Away != "" && r.live.State == session.Running:
		return "waits for a server"
	}
	return string(r.live.State)
}

// glyph is the state's glyph and style.
func (r runEntry) glyph() (string, theme.Token) {
	switch {
	case r.live == nil:
	case r.live.State == session.Paused:
		return theme.Paused, theme.Warn
	case r.live.State == session.Stopping:
		return theme.Stopped, theme.Warn
	case r.live.Away != "":
		return theme.Broken, theme.Warn
	}
	return mark(r.State)
}

// stamp is the time that a run's name begins with.
var stamp = regexp.MustCompile(`^\d{8}-\d{6}-`)

// timeless is a run's name without the time, which its age tells too.
func timeless(name string) string { return stamp.ReplaceAllString(name, "") }

var percent = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)? %`)

// headlineCell is a headline, in short from its first figure on.
func headlineCell(headline string) rows.Cell {
	c := rows.Cell{Text: headline}
	if at := percent.FindStringIndex(headline); at != nil {
		c.Short = headline[at[0]:]
	}
	return c
}

// next is what can be done with the run in its state.
func (r runEntry) next() string {
	open, resume, replay := key(keys.Open), key(keys.ResumeRun), key(keys.ReplayRun)
	switch {
	case r.live != nil && r.live.State == session.Paused:
		return "It is paused: " + open + " shows it, and there " + keys.Bindings.Name(keys.PauseResume, keys.Run) + " lets it go on."
	case r.State == store.Running:
		return "It is being carried out: " + open + " watches it."
	case r.State == store.Done:
		return "It went to its end: " + open + " shows it, " + replay + " replays it."
	case r.State == store.Failed:
		return "It failed: " + open + " shows why, " + resume + " goes on with it once that is mended."
	}
	return "It was interrupted: " + resume + " goes on with it, and nothing that is stored is sampled again."
}

// key is the key of an action on this screen, as a person reads it.
func key(a keys.Action) string { return keys.Bindings.Name(a, keys.Home) }

func (r runEntry) detail(now time.Time) []rows.Cell {
	glyph, token := r.glyph()
	out := []rows.Cell{{Text: glyph + " " + r.standing() + " " + theme.Separator + " " + r.Run, Token: token}}
	if r.live != nil && r.live.Away != "" {
		out = append(out, rows.Cell{Text: r.live.Away, Token: theme.Warn})
	}
	if r.Headline != "" {
		out = append(out, rows.Cell{Text: r.Headline, Token: theme.Strong})
	}
	if len(r.Settings) > 0 {
		out = append(out, rows.Cell{Text: "Set: " + strings.Join(r.Settings, ", ")})
	}
	if r.Note != "" {
		out = append(out, rows.Cell{Text: "Note: " + r.Note})
	}
	if len(r.Tags) > 0 {
		out = append(out, rows.Cell{Text: "Tags: " + strings.Join(r.Tags, ", "), Token: theme.SeriesC})
	}
	return append(out, rows.Cell{Text: r.next(), Token: theme.Muted},
		rows.Cell{Text: fmt.Sprintf("Profile %s, recipe %s on %s, seed %d, begun %s, in %s.", r.Profile, r.Recipe, r.Domain, r.Seed, r.Started.Format("2006-01-02 15:04")+" UTC", r.Dir), Token: theme.Muted})
}

func (r runEntry) words() string {
	return strings.Join([]string{r.Run, r.Profile, r.Recipe, r.Domain, string(r.State), r.standing(), r.Headline, r.Note, strings.Join(r.Settings, " "), strings.Join(r.Tags, " ")}, " ")
}

// problemEntry is a folder that cannot be read.
type problemEntry struct{ err error }

func (p problemEntry) id() string         { return p.err.Error() }
func (p problemEntry) began() time.Time   { return time.Time{} }
func (p problemEntry) state() store.State { return broken }
func (p problemEntry) ranked() *float64   { return nil }
func (p problemEntry) words() string      { return p.err.Error() }

func (p problemEntry) cells(time.Time) []rows.Cell {
	glyph, token := mark(broken)
	return []rows.Cell{{Text: glyph, Token: token}, {Text: "cannot be read", Token: theme.Bad}, {}, {}, {}, {Text: p.err.Error(), Token: theme.Bad}, {}, {}}
}

func (p problemEntry) detail(time.Time) []rows.Cell {
	return []rows.Cell{{Text: p.err.Error(), Token: theme.Bad}}
}

// sweepEntry is a stored sweep.
type sweepEntry struct{ screen.SweepInfo }

var sweepColumns = []rows.Column{
	{Min: 1}, {Head: "sweep", Min: 14, Max: 30, Whole: true}, {Head: "recipe", Min: 7, Rank: 4}, {Head: "done", Min: 7, Max: 9, Right: true}, {Head: "failed", Min: 6, Right: true, Rank: 3},
	{Head: "headline", Min: 19, Max: 60, Rank: 1, Whole: true}, {Head: "age", Min: 6, Right: true},
}

func (s sweepEntry) id() string       { return s.Dir }
func (s sweepEntry) began() time.Time { return s.Started }
func (s sweepEntry) ranked() *float64 { return s.Figure }

// state is that of the sweep as a whole: one that stands still with cells open is interrupted.
func (s sweepEntry) state() store.State {
	switch {
	case s.Problem != "":
		return broken
	case s.Running:
		return store.Running
	case s.Failed > 0:
		return store.Failed
	case s.Done < s.Cells:
		return store.Interrupted
	}
	return store.Done
}

func (s sweepEntry) cells(now time.Time) []rows.Cell {
	glyph, token := mark(s.state())
	if s.Problem != "" {
		return []rows.Cell{{Text: glyph, Token: token}, {Text: s.Name}, {}, {}, {}, {Text: s.Problem, Token: token}, {}}
	}
	failed := rows.Cell{Text: strconv.Itoa(s.Failed), Token: theme.Muted}
	if s.Failed > 0 {
		failed.Token = theme.Bad
	}
	return []rows.Cell{{Text: glyph, Token: token}, {Text: s.Name}, {Text: s.Recipe}, {Text: fmt.Sprintf("%d/%d", s.Done, s.Cells)}, failed,
		headlineCell(s.Headline), {Text: figure.Age(now.Sub(s.Started)), Token: theme.Muted}}
}

func (s sweepEntry) detail(time.Time) []rows.Cell {
	if s.Problem != "" {
		return []rows.Cell{{Text: s.Problem, Token: theme.Bad}}
	}
	glyph, token := mark(s.state())
	out := []rows.Cell{{Text: fmt.Sprintf("%s %s %s %s: %d of %d cells done, %d failed", glyph, s.state(), theme.Separator, s.Name, s.Done, s.Cells, s.Failed), Token: token}}
	if s.Headline != "" {
		out = append(out, rows.Cell{Text: s.Headline, Token: theme.Strong})
	}
	if s.Stopped != "" {
		out = append(out, rows.Cell{Text: s.Stopped, Token: theme.Bad})
	}
	return append(out, rows.Cell{Text: key(keys.Open) + " shows its board, from where it goes on.", Token: theme.Muted},
		rows.Cell{Text: fmt.Sprintf("Profile %s, in %s.", s.Profile, s.Dir), Token: theme.Muted})
}

func (s sweepEntry) words() string {
	return strings.Join([]string{s.Name, s.Profile, s.Recipe, string(s.state()), s.Headline, s.Problem}, " ")
}

// broken is the state of a folder that cannot be read.
const broken store.State = "broken"

// mark is a state's glyph and style.
func mark(s store.State) (string, theme.Token) {
	switch s {
	case store.Running:
		return theme.Running, theme.Accent
	case store.Done:
		return theme.Done, theme.Good
	case store.Failed:
		return theme.Fail, theme.Bad
	case store.Interrupted:
		return theme.Stopped, theme.Warn
	case broken:
		return theme.Broken, theme.Bad
	}
	return theme.Unknown, theme.Muted
}
