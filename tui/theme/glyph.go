package theme

// The glyphs of states. Each stands beside its colour, so that the screen reads without any.
const (
	Pass      = "✓"
	Fail      = "✗"
	Unknown   = "?" // undecided, ungraded
	Broken    = "!" // an error
	Running   = "▶"
	Paused    = "‖"
	Done      = "●"
	Stopped   = "◐" // interrupted: can be resumed
	Waiting   = "○"
	Selected  = "▸"
	InBand    = "★"
	Separator = "·"
)
