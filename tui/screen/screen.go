// Package screen says what a screen of the workbench is: home, a run, a sweep, a comparison, the walkthrough. Screens lie on a stack; the
// app draws the one on top, with a header and a footer around it.
package screen

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/session"
	"verge/tui/theme"
)

// Screen is one screen. Its methods are called from one goroutine.
type Screen interface {
	// Title stands in the header: a few words, without styles, safe to draw.
	Title() string
	// View draws the screen into width × height cells; the caller cuts what is too much.
	View(width, height int) []string
	// Scopes are the scopes of keys that hold now, the innermost first, App left out.
	Scopes() []keys.Scope
	// Refusal is why an action of these scopes can do nothing now, as a sentence for a person; "" when it can.
	Refusal(keys.Action) string
	// Do carries out an action of these scopes.
	Do(keys.Action) tea.Cmd
	// Reading says that the screen reads text: keys go to Type before they mean anything else.
	Reading() bool
	// Type is a key of a text that is being typed, Escape and Enter among them.
	Type(tea.KeyMsg) tea.Cmd
	// Receive takes every message that the app does not know, Tick among them.
	Receive(tea.Msg) tea.Cmd
	// Back closes what is open on the screen; false when nothing was, so that the screen itself is left.
	Back() bool
}

// Worder is a screen on which what a key does changes: Word is what the footer calls an action now, "" where the table of keys says it.
type Worder interface {
	Word(keys.Action) string
}

// Tick comes several times a second.
type Tick time.Time

// Go puts a screen on top.
type Go struct {
	Screen Screen
	// Started is the folder of what was just started, of which the screen is, else "". All but the first screen is left then, and the first one,
	// which lists it, is given this message.
	Started string
}

// Shown tells a screen that it is on top again, after what lay over it was left.
type Shown struct{}

// Say shows a sentence in the footer for a while: what came of an action, or why it could not be carried out.
type Say struct {
	Text string
	Bad  bool
}

// Ask puts a question over the screen; Yes is carried out when the answer is y, nothing when it is n.
type Ask struct {
	Question string
	Do       string // what y does, in a word or two
	Yes      tea.Cmd
}

// Env is what all screens share.
type Env struct {
	Theme    *theme.Theme // the app changes what it points to
	Out      string       // the folder of runs
	Launcher Launcher
	Now      func() time.Time
	// Run makes the screen of a run, for other screens to go to.
	Run func(session.Session) Screen
}

// Launcher starts what the workbench asks for. Its methods may take a while: they are called from commands.
type Launcher interface {
	// Cost is what a profile's run takes on this machine, going by runs that are stored in Env.Out.
	Cost(*profiles.Profile) figure.Cost
	// Start begins a run. A wrong request is an error before anything is written.
	Start(*profiles.Profile) (session.Session, error)
	// Resume goes on with an interrupted or failed run, by its folder.
	Resume(dir string) (session.Session, error)
	// Watch opens a stored run to look at: as it is, also while another process writes it, or from its start as a replay.
	Watch(dir string, replay bool) (session.Session, error)
	// Standing is how the runs stand that this process carries out. It returns at once.
	Standing() []Standing
	// Sweeps lists the sweeps in Env.Out, newest first.
	Sweeps() ([]SweepInfo, error)
	// Sweep reads how a sweep stands.
	Sweep(dir string) (SweepState, error)
	// GoOn starts a sweep's missing and failed cells in the background, and returns at once; Sweep tells how it goes. StopSweep ends it;
	// its cells can be resumed.
	GoOn(dir string) error
	StopSweep(dir string) error
	// StartSweep begins a profile's sweep and returns its folder.
	StartSweep(*profiles.Profile) (dir string, err error)
	// RemoveSweep deletes a sweep that is not run by anyone, with all its runs.
	RemoveSweep(dir string) error
}

// Standing is how a run stands that this process carries out, which its store does not tell.
type Standing struct {
	Dir      string
	State    session.State
	Progress session.Progress
	Away     string // what is said of a server that it waits for; "": of none
}

// SweepInfo is a sweep in a list.
type SweepInfo struct {
	Dir                   string
	Name, Profile, Recipe string
	Started               time.Time
	Running               bool
	Cells, Done, Failed   int
	Headline              string
	Figure                *float64 // of the headline, which sweeps are ordered by; nil: none
	Stopped               string   // why this process does not run it any more, if not for its end or since it was asked to stop
	Problem               string   // why the sweep cannot be read; all but Dir and Name is unknown then
}

// SweepState is a sweep as its board shows it.
type SweepState struct {
	SweepInfo
	Axes  []string // keys of the profile
	Arms  []string
	Cells []SweepCell // in the order of the grid, seeds innermost
}

// SweepCell is one run of a sweep: a combination of the axes' values with one seed.
type SweepCell struct {
	Values []string // of the axes
	Seed   uint64
	State  string // "missing", "running", "done", "failed", "interrupted"
	Error  string // why it failed
	Run    string // folder of its run, "" when it has none
	// Figures are by arm, of a cell that is done.
	Figures map[string]SweepFigure
}

// SweepFigure is an arm's headline in one cell.
type SweepFigure struct {
	InBand           *float64 // in band / proposed
	InBandGivenValid *float64
	Valid            *float64
}
