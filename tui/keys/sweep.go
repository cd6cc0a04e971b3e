package keys

// Sweep is the scope of a sweep's board, which moves in two directions and so has keys of its own for it.
const Sweep Scope = "sweep"

// The actions of a sweep's board.
const (
	Left       Action = "left"
	Right      Action = "right"
	GoOn       Action = "go-on"
	StopSweep  Action = "stop-sweep"
	NextFigure Action = "next-figure"
)

var sweep = Table{
	{Sweep, Open, []string{"enter"}, "open", "Open the run of the selected cell", true},
	{Sweep, GoOn, []string{"g", "r"}, "go on", "Run the cells that are missing, were interrupted or have failed", true},
	{Sweep, StopSweep, []string{"x"}, "stop", "Stop the sweep; its cells can be resumed", true},
	{Sweep, NextFigure, []string{"f"}, "figure", "Show the next figure: in band, in band of valid, valid", true},
	{Sweep, Compare, []string{"c"}, "compare", "Compare the arms of the selected cell's run", false},
	{Sweep, Up, []string{"up", "k"}, "up", "Up an arm", false},
	{Sweep, Down, []string{"down", "j"}, "down", "Down an arm", false},
	{Sweep, Left, []string{"left", "h"}, "left", "To the seed on the left", false},
	{Sweep, Right, []string{"right", "l"}, "right", "To the seed on the right", false},
	{Sweep, PageUp, []string{"pgup", "b"}, "page up", "Up to the settings before", false},
	{Sweep, PageDown, []string{"pgdown", "d"}, "page down", "Down to the next settings", false},
	{Sweep, Top, []string{"home"}, "top", "To the first arm of the first settings", false},
	{Sweep, Bottom, []string{"end", "G"}, "bottom", "To the last arm of the last settings", false},
}
