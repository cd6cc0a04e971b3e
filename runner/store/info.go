package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// State is where a run stands.
type State string

// The states. A run is Interrupted when it neither ended nor is being written.
const (
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Interrupted State = "interrupted"
)

// Header is what is known of a run before its first event.
type Header struct {
	Profile  string
	Settings []string // that were set over the profile, KEY=VALUE each
	Recipe   string
	Domain   string
	Seed     uint64
	Started  time.Time
}

// RunInfo is a run in a list of runs. It marshals to the objects of `verge runs --json`.
type RunInfo struct {
	Run      string    `json:"run"` // the name of its folder
	Profile  string    `json:"profile"`
	Settings []string  `json:"settings,omitempty"` // that were set over the profile, KEY=VALUE each; runs of earlier versions did not keep them
	Recipe   string    `json:"recipe"`
	Domain   string    `json:"domain"`
	Seed     uint64    `json:"seed"`
	State    State     `json:"state"`
	Started  time.Time `json:"started"` // UTC, whole seconds
	Headline string    `json:"headline"`
	Figure   *float64  `json:"-"` // of the headline, which runs are ordered by; runs of earlier versions did not keep it
	Dir      string    `json:"-"`
	Tags     []string  `json:"-"`
	Note     string    `json:"-"`
}

// runInfo makes sense of a run's meta table.
func runInfo(dir string, meta map[string]string) (RunInfo, error) {
	info := RunInfo{
		Run: filepath.Base(dir), Dir: dir,
		Profile: meta[keyProfile], Recipe: meta[keyRecipe], Domain: meta[keyDomain], Headline: meta[keyHeadline],
		State: State(meta[keyState]),
	}
	var errSeed, errStarted, errState error
	if info.Seed, errSeed = strconv.ParseUint(meta[keySeed], 10, 64); errSeed != nil {
		errSeed = fmt.Errorf("meta: %s: %w", keySeed, errSeed)
	}
	if info.Started, errStarted = time.Parse(time.RFC3339, meta[keyStarted]); errStarted != nil {
		errStarted = fmt.Errorf("meta: %s: %w", keyStarted, errStarted)
	}
	switch info.State {
	case Running, Done, Failed, Interrupted:
	default:
		errState = fmt.Errorf("meta: %s = %q: no such state", keyState, info.State)
	}
	var errFigure, errSettings error
	if text, ok := meta[keyFigure]; ok {
		figure, err := strconv.ParseFloat(text, 64)
		if err != nil {
			errFigure = fmt.Errorf("meta: %s: %w", keyFigure, err)
		}
		info.Figure = &figure
	}
	info.Settings, errSettings = readList(meta, keySettings)
	a, errTags := readAnnotation(meta)
	info.Tags, info.Note = a.Tags, a.Note
	return info, errors.Join(errSeed, errStarted, errState, errFigure, errSettings, errTags)
}

// newRun makes a run's name: its start in UTC, so that names sort by age, its profile, and four random digits.
func newRun(h Header) string {
	return fmt.Sprintf("%s-%s-%04x", h.Started.UTC().Format("20060102-150405"), slug(h.Profile), rand.Uint32N(1<<16))
}

// slug makes a profile's name safe in a path and short to type.
func slug(profile string) string {
	const longest = 24
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, profile)
	words := strings.FieldsFunc(clean, func(r rune) bool { return r == '-' })
	clean = strings.Join(words, "-")
	if len(clean) > longest {
		clean = strings.TrimRight(clean[:longest], "-")
	}
	if clean == "" {
		return "run"
	}
	return clean
}
