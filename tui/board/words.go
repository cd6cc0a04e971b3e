package board

import (
	"fmt"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/figure"
)

// Line is an entry of the log.
type Line struct {
	Seq   int // the event it tells of, from 1
	Level Level
	Arm   string
	Text  string
}

// Level is how much a line of the log matters.
type Level string

// The levels.
const (
	Info  Level = "info"
	Warn  Level = "warning"
	Error Level = "error"
)

// inWords tells of an event that is worth a line: not of single proposals and attempts, which have lists of their own, except of
// those that failed.
func inWords(e event.Event) (Line, bool) {
	say := func(level Level, arm, format string, args ...any) (Line, bool) {
		return Line{Level: level, Arm: arm, Text: fmt.Sprintf(format, args...)}, true
	}
	switch e := e.(type) {
	case event.RunStarted:
		return say(Info, "", "run of profile %s, recipe %s, seed %d, %d arms", e.Profile, e.Recipe, e.Seed, len(e.Arms))
	case event.StageStarted:
		unit := "proposals"
		if e.Stage == event.Train {
			unit = "updates"
		}
		return say(Info, e.Arm, "stage %s: %s %s", e.Stage, figure.Count(e.Total), unit)
	case event.TaskProposed:
		if e.Error != "" {
			return say(Error, e.Key.Arm, "proposal %s failed: %s", e.Key, e.Error)
		}
	case event.AttemptGraded:
		if e.Grading.Verdict == domains.Error {
			return say(Error, e.Key.Arm, "attempt %d at %s failed: %s", e.Attempt+1, e.Key, e.Grading.Reason)
		}
	case event.BackendNoticed:
		if e.Warns || e.Away != 0 {
			return say(Warn, "", "%s: %s", e.Kind, e.Text)
		}
		if e.Loads > 0 || e.Placement != nil {
			return say(Info, "", "%s: %s", e.Kind, e.Text)
		}
	case event.ProbeTrained:
		auroc := "undefined"
		if e.Quality.AUROC != nil {
			auroc = fmt.Sprintf("%.3f", *e.Quality.AUROC)
		}
		return say(Info, "", "probe %s trained on %d tasks, %d in band: AUROC %s", e.Probe, e.Tasks, e.InBand, auroc)
	case event.PolicyUpdated:
		return say(Info, e.Arm, "update %d: reward %.3f, valid %d of %d, KL %.3f nats", e.Step, e.Reward, e.Valid, e.Proposals, e.KL)
	case event.Evaluated:
		return say(Info, e.Arm, "evaluated")
	case event.Warned:
		return say(Warn, e.Arm, "%s: %s", e.Code, e.Text)
	case event.RunEnded:
		if e.Failed != "" {
			return say(Error, "", "the run failed: %s", e.Failed)
		}
		return say(Info, "", "the run is done")
	}
	return Line{}, false
}
