package home

import (
	"path/filepath"
	"slices"

	"verge/profiles"
	"verge/runner/store"
	"verge/tui/screen"
)

// storedReading is the runs and sweeps as they were found.
type storedReading struct {
	runs     []store.RunInfo
	problems []error
	sweeps   []screen.SweepInfo
	failures [3]string // why a list cannot be read at all
}

// readStored is called from a command.
func (h *Home) readStored() storedReading {
	var r storedReading
	var err error
	if r.runs, r.problems, err = h.runs.List(); err != nil {
		r.failures[runsList] = err.Error()
	}
	if r.sweeps, err = h.env.Launcher.Sweeps(); err != nil {
		r.failures[sweepsList] = err.Error()
	}
	return r
}

func (h *Home) take(r storedReading) {
	h.read, h.failures = true, r.failures
	var runs, sweeps []entry
	for _, info := range store.TellApart(r.runs) {
		runs = append(runs, runEntry{RunInfo: info})
	}
	for _, err := range r.problems {
		runs = append(runs, problemEntry{err})
	}
	for _, info := range r.sweeps {
		sweeps = append(sweeps, sweepEntry{info})
	}
	h.lists[runsList].all, h.lists[sweepsList].all = runs, sweeps
	h.markRuns()
	h.selectBegun()
}

// first is the profile that a first run is best made of.
const first = "quick"

func isFirst(e entry) bool {
	p, ok := e.(profileEntry)
	return ok && p.profile != nil && p.profile.Name == first
}

// takeProfiles lists profiles; the first to be selected is the one to begin with.
func (h *Home) takeProfiles(entries []entry) {
	l := &h.lists[profilesList]
	begin := len(l.all) == 0
	l.all = entries
	h.putCosts()
	if i := slices.IndexFunc(l.shown, isFirst); begin && i >= 0 {
		l.cursor.At = i
	}
}

// readProfiles is called from a command. A file in the working directory that is no profile is listed with what is wrong about it.
func (h *Home) readProfiles() []entry {
	files, err := filepath.Glob("*.toml")
	if err != nil {
		panic("home: a constant pattern is malformed: " + err.Error())
	}
	var entries []entry
	for _, name := range slices.Concat(h.shipped, files) {
		e := profileEntry{name: name}
		if e.profile, e.err = profiles.Load(name, nil); e.err == nil {
			e.hash = e.profile.Hash()
		}
		entries = append(entries, e)
	}
	return entries
}
