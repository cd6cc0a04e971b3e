package sweep

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"verge/profiles"
	"verge/runner"
	"verge/runner/report"
	"verge/runner/store"
)

// Sweep is a grid of settings and seeds, and what its folder has of it.
type Sweep struct {
	Name  string // of its profile
	Dir   string
	Axes  report.Axes
	Seeds []uint64
	Cells []*Cell // settings by settings, the last axis fastest, and in each by seed
	Notes []string

	grid string
}

// Cell is one run of a sweep.
type Cell struct {
	Profile  *profiles.Profile
	Hash     string // of Profile
	Settings report.Settings
	Seed     uint64

	// What the folder has. Run and Dir are "" of a missing cell; Err is why a failed one failed.
	Run, Dir string
	State    store.State
	Err      string

	summary *report.Summary // of a run that ended in this process
}

// String is the cell's settings and seed.
func (c *Cell) String() string {
	if len(c.Settings) == 0 {
		return fmt.Sprintf("seed %d", c.Seed)
	}
	return fmt.Sprintf("%s seed %d", c.Settings, c.Seed)
}

// mostCells is far above what one machine runs, and catches a slip of an axis.
const mostCells = 10_000

// New expands a profile's sweep into cells; out is the folder that the sweep's own is in. It refuses, before anything is written, settings that
// do not go together and those that no run could be started with. Look tells what there is of the cells already.
func New(out string, p *profiles.Profile) (*Sweep, error) {
	s, err := newSweep(out, p)
	if err != nil {
		return nil, err
	}
	return s, s.Check()
}

// newSweep makes the cells.
func newSweep(out string, p *profiles.Profile) (*Sweep, error) {
	s := &Sweep{Name: p.Name, Dir: filepath.Join(out, "sweep-"+p.Name), Seeds: p.Sweep.Seeds.From(p.Run.Seed)}
	var err error
	if s.grid, err = p.Grid(); err != nil {
		return nil, err
	}
	cells := len(s.Seeds)
	for _, a := range p.Sweep.Axes {
		s.Axes = append(s.Axes, report.Axis{Key: a.Key, Values: a.Values})
		if cells *= len(a.Values); cells > mostCells {
			return nil, &runner.RequestError{Text: fmt.Sprintf("sweep %s: more than %d cells; give the axes fewer values, or fewer seeds", p.Name, mostCells)}
		}
	}
	if cells == 1 {
		return nil, &runner.RequestError{Text: fmt.Sprintf("sweep %s: one cell is no sweep; give it --axis KEY=VALUE,VALUE or --seeds N, or use verge run", p.Name)}
	}
	var errs []error
	for _, values := range combinations(s.Axes) {
		if err := s.add(p, values); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, s.unlike()
}

// combinations are all choices of one value of each axis, the last axis fastest; one empty choice of no axes.
func combinations(axes report.Axes) [][]any {
	list := [][]any{nil}
	for _, a := range axes {
		var longer [][]any
		for _, values := range list {
			for _, v := range a.Values {
				longer = append(longer, append(append([]any(nil), values...), v))
			}
		}
		list = longer
	}
	return list
}

// add makes the cells of one choice of values.
func (s *Sweep) add(p *profiles.Profile, values []any) error {
	settings := report.Settings{}
	for i, a := range s.Axes {
		settings = append(settings, report.Setting{Key: a.Key, Value: values[i]})
	}
	for _, seed := range s.Seeds {
		q, err := p.Cell(values, seed)
		if err != nil {
			return err
		}
		s.Cells = append(s.Cells, &Cell{Profile: q, Hash: q.Hash(), Settings: settings, Seed: seed, State: report.Missing})
	}
	return nil
}

// unlike refuses cells that come to the same run, such as those of 0.333 and "1/3" of three attempts.
func (s *Sweep) unlike() error {
	seen := map[string]*Cell{}
	for _, c := range s.Cells {
		if same := seen[c.Hash]; same != nil {
			return &runner.RequestError{Text: fmt.Sprintf("sweep %s: %s is the same run as %s; take one of the values out", s.Name, c, same)}
		}
		seen[c.Hash] = c
	}
	return nil
}

// Check refuses what no run could be started with, such as a model file that is not there, in whichever cell it is. Cells that start alike are
// checked once: models may be large.
func (s *Sweep) Check() error {
	var checked []profiles.Profile
	for _, c := range s.Cells {
		p := start(c.Profile)
		if slices.ContainsFunc(checked, func(q profiles.Profile) bool { return reflect.DeepEqual(p, q) }) {
			continue
		}
		if err := runner.Check(c.Profile); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		checked = append(checked, p)
	}
	return nil
}

// start is the part of a profile that a run can fail to start for: models, what is asked of them, and where they are. It leaves out the seed, how
// much is sampled, and the figures of the optimiser.
func start(p *profiles.Profile) profiles.Profile {
	q := profiles.Profile{Run: p.Run, Roles: p.Roles, Probe: p.Probe, Policy: p.Policy, Oracle: p.Oracle, Ollama: p.Ollama}
	q.Run.Seed = 0
	q.Policy.LearningRate, q.Policy.KL, q.Policy.MaxKL, q.Policy.Steps, q.Policy.WarmupSteps = 0, 0, 0, 0, 0
	return q
}
