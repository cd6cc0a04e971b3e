// Package session is what the workbench shows and steers: a run that is carried out, one that another process carries out, one that
// has ended, or a replay of one. To the screen they are alike.
package session

import (
	"time"

	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/board"
)

// Session is one run on the screen. Its methods are called from the screen's goroutine and return at once, but for Detail.
type Session interface {
	// Board is the run's state as of now. The same pointer means that nothing has happened.
	Board() *board.Snapshot
	// Status is how the run stands; its figures are beside its events, and may be missed.
	Status() Status
	// Control is what can be asked of it.
	Control() Control
	// Detail looks up all that is stored of a proposal. It reads a database: it is called from a command.
	Detail(event.Key) (Detail, error)
}

// Guided is a session that can be led through its run: it goes on as long as what comes next may pass, and is held before the first event
// that may not. passes is called on the run's goroutine.
type Guided interface {
	Session
	Guide(passes func(event.Event) bool)
}

// State is where a session stands.
type State string

// The states. A session that is Watching follows a run that another process carries out.
const (
	Loading     State = "loading" // its stored events are being folded
	Running     State = "running"
	Paused      State = "paused"
	Watching    State = "watching"
	Stopping    State = "stopping"
	Done        State = "done"
	Failed      State = "failed"
	Interrupted State = "interrupted" // can be resumed
	Replaying   State = "replay"
)

// Status is a reading of a session.
type Status struct {
	Run      string // the name of its folder
	Dir      string
	State    State
	Error    string // why it failed, or why it cannot be shown further
	Progress Progress
	Replay   Replay
	Loaded   float64 // in 0 … 1, while Loading
}

// Progress is how far the present stage has come.
type Progress struct {
	Arm, Stage  string
	Unit        string // "proposals", "attempts", "steps"
	Done, Total int
	Tokens      float64       // sampled a second
	Left        time.Duration // of the stage, by its rate so far; 0: not known
	Elapsed     time.Duration // of the run
}

// Replay is where a replay stands.
type Replay struct {
	At, Events int     // events shown, of all
	Speed      float64 // events a second
}

// Control is what can be asked of a session. What a session cannot do it says in Refusal.
type Control interface {
	// Refusal is why an action cannot be carried out now, as a sentence for a person; "" when it can.
	Refusal(Action) string
	// Do carries out an action. n is of Seek, the event to go to, and of Speed, a factor; others ignore it.
	Do(a Action, n float64)
}

// Action is what can be asked of a session.
type Action string

// The actions.
const (
	Pause        Action = "pause"
	Resume       Action = "resume"        // after Pause
	StepProposal Action = "step-proposal" // let the next proposal through, with all that belongs to it
	StepUpdate   Action = "step-update"   // go on to the end of the next update of a policy, or of a stage
	Stop         Action = "stop"          // end it, resumable
	Seek         Action = "seek"          // of a replay
	Speed        Action = "speed"         // of a replay
)

// Detail is all that is stored of a proposal.
type Detail struct {
	Proposal  event.TaskProposed
	Validated *event.TaskValidated   // nil where the generation failed
	Oracles   []event.OracleAnswered // in the order they were asked
	Scores    []event.ProbeScored
	Attempts  []event.AttemptGraded // by number
	Stamps    []store.Stamp         // when all that was stored
}
