package lab

import (
	"sync"
	"time"
)

// Meter counts how far the current stage has come. It is read beside the run and is no part of its events.
type Meter struct {
	mu sync.Mutex
	r  Reading
}

// Reading is what a meter shows.
type Reading struct {
	Arm, Stage  string
	Done, Total int    // in Unit
	Unit        string // one of the units below
	Tokens      int    // sampled in the stage
	Began       time.Time
	Stages      int // begun so far
}

// Begin starts a stage of total units.
func (m *Meter) Begin(arm, stage, unit string, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.r = Reading{Arm: arm, Stage: stage, Unit: unit, Total: total, Began: time.Now(), Stages: m.r.Stages + 1}
}

// turnTo goes on with another unit in a stage that is counted by samples.
func (m *Meter) turnTo(unit string, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.r.Unit != Steps {
		m.r.Unit, m.r.Done, m.r.Total, m.r.Tokens, m.r.Began = unit, 0, total, 0, time.Now()
	}
}

// Step counts one unit of a stage that is not counted by samples.
func (m *Meter) Step() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.r.Done++
}

// add counts samples, which are the units of all stages but those counted by Step.
func (m *Meter) add(samples, tokens int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.r.Tokens += tokens
	if m.r.Unit != Steps {
		m.r.Done += samples
	}
}

// The units.
const (
	Proposals = "proposals"
	Answers   = "answers" // of oracles
	Attempts  = "attempts"
	Steps     = "steps"
)

// Read returns the reading of this moment.
func (m *Meter) Read() Reading {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.r
}
