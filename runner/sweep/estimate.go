package sweep

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/recipe"
	"verge/runner/store"
)

// Plan is what running the cells that are not done will take.
type Plan struct {
	Cells    int           // to run
	Attempts int           // at the most
	Answers  int           // of oracles, at the most
	Time     time.Duration // of those that can be estimated
	Unknown  int           // cells that no finished run tells anything of
	Runs     int           // finished runs that the estimate is from
}

// Cost is a bound of what a cell's run spends, as if every proposal were valid.
func (c *Cell) Cost() recipe.Cost {
	cost, _ := runner.Cost(c.Profile)
	return cost
}

// Plan estimates from the finished runs in the sweep's folder and in those given: the time that they took for an attempt and for a proposal
// that a policy was updated on, by the bounds of both, so that shares of invalid proposals are taken to stay the same. Cells are estimated
// from runs with the same roles alone. Runs that went on at the same time shared the machine, and their times are cut by that share.
func (s *Sweep) Plan(folders ...string) Plan {
	measured := (&Estimator{}).measure(append(folders, s.Dir))
	var p Plan
	used := map[*rates]bool{}
	for _, c := range s.open() {
		p.Cells++
		cost, known := runner.Cost(c.Profile)
		p.Attempts += cost.Attempts()
		p.Answers += cost.Answers
		r := measured.of(c.Profile)
		if r == nil || !known || cost.Updated > 0 && r.cost.Updated == 0 {
			p.Unknown++
			continue
		}
		p.Time += r.time(cost)
		if !used[r] {
			used[r] = true
			p.Runs += len(r.spans)
		}
	}
	return p
}

// rates are what finished runs with the same roles took and, at the most, did.
type rates struct {
	run         profiles.Run // of which recipe and domain count
	roles       profiles.Roles
	oracle      profiles.Oracle // whose answers take their time before each attempt
	cost        recipe.Cost
	train, rest time.Duration
	spans       []span
}

type span struct{ from, to time.Time }

type measurements []*rates

func (m measurements) of(p *profiles.Profile) *rates {
	for _, r := range m {
		if r.run.Recipe == p.Run.Recipe && r.run.Domain == p.Run.Domain && r.oracle == p.Oracle && reflect.DeepEqual(r.roles, p.Roles) {
			return r
		}
	}
	return nil
}

// Estimator estimates by finished runs, each of which it reads once. Its zero value is ready; it is safe for concurrent use.
type Estimator struct {
	mu    sync.Mutex
	known map[string]*finished // by folder; nil of one that tells nothing
}

// finished is what a run took, and did at the most.
type finished struct {
	profile *profiles.Profile
	cost    recipe.Cost
	times   map[event.Stage]time.Duration
}

// Estimate is what a run takes.
type Estimate struct {
	Attempts int           // at the most
	Time     time.Duration // about; 0: not known
	Runs     int           // finished runs that the time is from
}

// Estimate is what a profile's run takes, going by the finished runs in some folders.
func (e *Estimator) Estimate(p *profiles.Profile, folders ...string) Estimate {
	cost, known := runner.Cost(p)
	r := e.measure(folders).of(p)
	if r == nil || !known || cost.Updated > 0 && r.cost.Updated == 0 {
		return Estimate{Attempts: cost.Attempts()}
	}
	return Estimate{cost.Attempts(), r.time(cost), len(r.spans)}
}

// measure looks at the finished runs of some folders. One that cannot be read tells nothing: a list of runs says why.
func (e *Estimator) measure(folders []string) measurements {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil {
		e.known = map[string]*finished{}
	}
	var m measurements
	for _, folder := range folders {
		runs, _, err := store.List(folder)
		if err != nil {
			continue
		}
		for _, run := range runs {
			if run.State != store.Done {
				continue
			}
			f, read := e.known[run.Dir]
			if !read {
				f = readFinished(run)
				e.known[run.Dir] = f
			}
			if f != nil {
				m = m.add(run.Started, f)
			}
		}
	}
	return m
}

func readFinished(run store.RunInfo) *finished {
	started, ok, err := opening(run.Dir)
	if err != nil || !ok {
		return nil
	}
	p, err := profiles.Parse(run.Run, started.Resolved, nil)
	if err != nil {
		return nil
	}
	cost, known := runner.Cost(p)
	times, err := stageTimes(run.Dir)
	if err != nil || !known {
		return nil
	}
	return &finished{p, cost, times}
}

func (m measurements) add(began time.Time, f *finished) measurements {
	r := m.of(f.profile)
	if r == nil {
		r = &rates{run: f.profile.Run, roles: f.profile.Roles, oracle: f.profile.Oracle}
		m = append(m, r)
	}
	r.cost.Measuring += f.cost.Measuring
	r.cost.Training += f.cost.Training
	r.cost.Updated += f.cost.Updated
	var wall time.Duration
	for stage, t := range f.times {
		wall += t
		if stage == event.Train {
			r.train += t
		} else {
			r.rest += t
		}
	}
	r.spans = append(r.spans, span{began, began.Add(wall)})
	return m
}

func stageTimes(dir string) (map[event.Stage]time.Duration, error) {
	r, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.StageTimes()
}

// time is what a run of some cost takes at these rates. What training took is the attempts of its rewards, and the updates.
func (r *rates) time(c recipe.Cost) time.Duration {
	attempt := float64(r.rest) / float64(r.cost.Measuring)
	t := attempt * float64(c.Attempts())
	if c.Updated > 0 {
		updates := max(0, float64(r.train)-attempt*float64(r.cost.Training))
		t += updates / float64(r.cost.Updated) * float64(c.Updated)
	}
	return time.Duration(t * r.share())
}

// share is the part of the machine that a run had: the time in which any ran, over the sum of their times.
func (r *rates) share() float64 {
	spans := slices.SortedFunc(slices.Values(r.spans), func(a, b span) int { return a.from.Compare(b.from) })
	var union, sum time.Duration
	var end time.Time
	for _, s := range spans {
		sum += s.to.Sub(s.from)
		if s.to.After(end) {
			from := s.from
			if end.After(from) {
				from = end
			}
			union += s.to.Sub(from)
			end = s.to
		}
	}
	if sum == 0 {
		return 1
	}
	return float64(union) / float64(sum)
}
