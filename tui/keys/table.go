package keys

import (
	"slices"
	"strconv"
)

// The scopes of screens; a pane's own scope is its name.
const (
	App    Scope = "app"    // everywhere
	Run    Scope = "run"    // a run's panes
	Replay Scope = "replay" // a run's panes, in a replay
	Home   Scope = "home"
	Scroll Scope = "scroll" // what is longer than its box
	Task   Scope = "task"   // a task that is shown in full
)

// The actions of the app and of a run's screen.
const (
	Help      Action = "help"
	Palette   Action = "palette"
	Quit      Action = "quit"
	Suspend   Action = "suspend"
	Back      Action = "back"
	NextTheme Action = "theme"

	NextPane     Action = "next-pane"
	PreviousPane Action = "previous-pane"
	FullScreen   Action = "full-screen"
	NextArm      Action = "next-arm"
	PreviousArm  Action = "previous-arm"
	PauseResume  Action = "pause"
	StepProposal Action = "step-proposal"
	StepUpdate   Action = "step-update"
	Stop         Action = "stop"

	Faster  Action = "faster"
	Slower  Action = "slower"
	Back10  Action = "back-10"
	Ahead10 Action = "ahead-10"
	First   Action = "first-event"
	Last    Action = "last-event"

	Up       Action = "up"
	Down     Action = "down"
	PageUp   Action = "page-up"
	PageDown Action = "page-down"
	Top      Action = "top"
	Bottom   Action = "bottom"
	Open     Action = "open"
	Search   Action = "search"
	Filter   Action = "filter"
	Sort     Action = "sort"
	Copy     Action = "copy"
	AllArms  Action = "all-arms"
	Expand   Action = "expand"
	Next     Action = "next"
	Previous Action = "previous"
)

// Bindings is the table. A pane's scope is its name.
var Bindings = slices.Concat(Table{
	{App, Help, []string{"?"}, "help", "Show what every key does here", true},
	{App, Palette, []string{":", "ctrl+p"}, "commands", "Find an action by its name and carry it out", true},
	{App, NextTheme, []string{"t"}, "theme", "Change to the next theme: dark, light, high contrast, colour-blind safe", false},
	{App, Back, []string{"esc"}, "back", "Leave what is open: help, a search, a full screen, a task, a run", false},
	{App, Suspend, []string{"ctrl+z"}, "suspend", "Go back to the shell until fg; what runs in the workbench stands still", false},
	{App, Quit, []string{"q", "ctrl+c"}, "quit", "Leave the workbench; a run that goes on is asked about and stays resumable", true},

	{Run, PauseResume, []string{" "}, "pause", "Pause the run, or let it go on", true},
	{Run, StepProposal, []string{"s"}, "step", "Let the next proposal through, then pause", false},
	{Run, StepUpdate, []string{"u"}, "step update", "Go on to the end of the next update or stage, then pause", false},
	{Run, Stop, []string{"x"}, "stop", "Stop the run; it can be resumed", false},
	{Run, NextPane, []string{"tab"}, "next pane", "Focus the next pane", true},
	{Run, PreviousPane, []string{"shift+tab"}, "previous pane", "Focus the pane before", false},
	{Run, FullScreen, []string{"f"}, "full screen", "Show the focused pane alone, or all again", true},
	{Run, NextArm, []string{"a"}, "arm", "Look at the next arm", true},
	{Run, PreviousArm, []string{"A"}, "previous arm", "Look at the arm before", false},

	{Replay, Slower, []string{"-"}, "slower", "Replay at half the speed", true},
	{Replay, Faster, []string{"+", "="}, "faster", "Replay at twice the speed", true},
	{Replay, Back10, []string{","}, "back", "Go back a twentieth of the recording", true},
	{Replay, Ahead10, []string{"."}, "ahead", "Go ahead a twentieth of the recording", true},
	{Replay, First, []string{"<"}, "start", "Go to the start of the recording", false},
	{Replay, Last, []string{">"}, "end", "Go to the end of the recording", false},

	{Scroll, Up, []string{"up", "k"}, "up", "Up a line", false},
	{Scroll, Down, []string{"down", "j"}, "down", "Down a line", false},
	{Scroll, PageUp, []string{"pgup", "b"}, "page up", "Up a page", false},
	{Scroll, PageDown, []string{"pgdown", "d"}, "page down", "Down a page", false},
	{Scroll, Top, []string{"home", "g"}, "top", "To the first line", false},
	{Scroll, Bottom, []string{"end", "G"}, "bottom", "To the last line", false},
}, panes(), gates, tasks, log, home, sweep, comparison, walkthrough)

// PanePrefix begins the actions that focus a pane: PanePrefix + its name.
const PanePrefix = "pane-"

// Panes are the names of a run's panes in the order they are shown, which is that of the digits that focus them: 1 … 9, 0.
var Panes = []string{"pipeline", "frontier", "probe", "gates", "weakness", "diversity", "policy", "roles", "tasks", "log"}

func panes() Table {
	var t Table
	for i, name := range Panes {
		t = append(t, Binding{Run, Action(PanePrefix + name), []string{strconv.Itoa((i + 1) % 10)}, name, "Focus the pane " + name, false})
	}
	return t
}

var gates = Table{
	{"gates", Filter, []string{"/"}, "filter", "Show only decisions that contain a text, in any of their columns", true},
	{"gates", Sort, []string{"r"}, "refused", "Show only what was refused, or all again", true},
}

var tasks = Table{
	{"tasks", Open, []string{"enter"}, "open", "Show all of a task: prompt, reply, gates, attempts, reward", true},
	{"tasks", Search, []string{"/"}, "search", "Show only tasks that contain a text, in statement, type, arm or reason", true},
	{"tasks", Sort, []string{"o"}, "order", "Order by age, probe score or solve rate", true},
	{"tasks", AllArms, []string{"e"}, "arms", "Show the tasks of every arm, or only those of the arm that is looked at", true},
	{"tasks", Copy, []string{"y"}, "copy", "Copy the selected task to the clipboard of the terminal", false},

	{Task, Next, []string{"n"}, "next", "Show the next task of the list", true},
	{Task, Previous, []string{"p"}, "previous", "Show the task before", true},
	{Task, Expand, []string{"v"}, "prompts", "Show the prompts of the task's attempts in full, or a line of each", true},
	{Task, Copy, []string{"y"}, "copy", "Copy the task to the clipboard of the terminal", true},
	{Task, Open, []string{"enter"}, "read again", "Read again what is known of the task", false},
}

var log = Table{
	{"log", Filter, []string{"/"}, "filter", "Show only lines that contain a text", true},
}
