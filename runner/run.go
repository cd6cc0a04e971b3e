// Package runner carries one experiment from a profile to its report.
package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verge/domains"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/hosted"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/recipe"
	"verge/runner/report"
	"verge/runner/store"
)

// Options are what a run is started with.
type Options struct {
	Profile *profiles.Profile
	Out     string     // folder of runs
	Resume  string     // folder of an interrupted or failed run to go on with, instead of a new one in Out; Profile is then its own
	Meter   *lab.Meter // counts progress
	// Started, if not nil, is told the run's folder when it is there.
	Started func(dir string)
	// Control, if not nil, can hold the run. Observe, if not nil, is told of every event in order, on the run's goroutine.
	Control *Control
	Observe func(event.Event)
	// Noticed, if not nil, is told of what happens at a server as it happens, by one goroutine at a time; Observe hears of it too, in the order
	// of the events, and of a resumed run also of what happened before.
	Noticed func(event.BackendNoticed)
}

// Run carries out a profile and returns its summary. A wrong request is a *RequestError, before anything is written. When ctx is
// cancelled the events so far are kept, and the error is ctx's.
func Run(ctx context.Context, o Options) (*report.Summary, error) {
	p := o.Profile
	began := time.Now()
	r, err := resolve(p)
	if err != nil {
		return nil, err
	}
	if o.Resume != "" {
		if err := resumable(o.Resume, p); err != nil {
			return nil, err
		}
	}
	models, err := bind(ctx, p, r)
	if err != nil {
		return nil, err
	}
	defer models.servers.close()
	if o.Resume != "" {
		if err := sameServed(o.Resume, models.provenance("", p)); err != nil {
			return nil, err
		}
	}
	s, known, err := o.open(began)
	if err != nil {
		return nil, err
	}
	defer models.servers.unload() // not before a run is under way: another may be using them
	s.observe, s.noticed = o.Observe, o.Noticed
	models.servers.notices.deliver(s.notice)
	if o.Control != nil {
		s.wait = func(e event.Event, keep func() error) error { return o.Control.wait(ctx, e, keep) }
	}
	if o.Started != nil {
		o.Started(s.writer.Dir())
	}
	summary, err := s.carryOut(ctx, o, r, models, known, began)
	var request *RequestError
	if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &request) {
		err = also(err, s.fail(err))
	}
	return summary, also(err, s.writer.Close())
}

// open makes a new run, or takes up the one to resume with what it has already.
func (o Options) open(began time.Time) (*stream, *lab.Known, error) {
	p := o.Profile
	if o.Resume == "" {
		w, err := store.Create(o.Out, store.Header{Profile: p.Name, Settings: p.Settings(), Recipe: p.Run.Recipe, Domain: p.Run.Domain, Seed: p.Run.Seed, Started: began})
		if err != nil {
			return nil, nil, &RequestError{Text: err.Error(), cause: err}
		}
		return &stream{writer: w}, nil, nil
	}
	w, err := store.Reopen(o.Resume)
	if err != nil {
		return nil, nil, &RequestError{Text: err.Error(), cause: err}
	}
	s := &stream{writer: w}
	known, err := s.read(o.Resume)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	return s, known, nil
}

// StoredProfile is the profile that a stored run was started with, for resuming it.
func StoredProfile(dir string) (*profiles.Profile, error) {
	r, err := store.Open(dir)
	if err != nil {
		return nil, &RequestError{Text: err.Error(), cause: err}
	}
	defer r.Close()
	e, ok, err := r.Started()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse("run %s was interrupted before its first event: there is nothing to resume, so start it again", dir)
	}
	p, err := profiles.Parse(e.Profile, e.Resolved, nil)
	if err != nil {
		return nil, err
	}
	p.Name = e.Profile
	return p, nil
}

func (s *stream) carryOut(ctx context.Context, o Options, r recipe.Recipe, m models, known *lab.Known, began time.Time) (*report.Summary, error) {
	p := o.Profile
	fewest, most := p.Target.Counts()
	err := s.emit(event.RunStarted{
		Profile: p.Name, Resolved: p.Resolved(), Recipe: p.Run.Recipe, Domain: p.Run.Domain, Seed: p.Run.Seed, Arms: p.Run.Arms,
		Attempts: p.Target.Attempts, Low: p.Target.Low.Float(), High: p.Target.High.Float(), Fewest: &fewest, Most: &most, Provenance: m.provenance(s.writer.Run(), p),
	})
	if err != nil {
		return nil, err
	}
	if err := m.inspect(ctx, s.writer.Dir(), o.Meter); err != nil {
		return nil, err
	}
	if err := m.keepEmbeddings(s.writer.Dir()); err != nil {
		return nil, err
	}
	hosts := m.hosts(s.writer.Run())
	defer closeHosts(s.writer.Run(), hosts, s.notice)
	bench := &recipe.Bench{
		Profile: p, Generator: m.asks(m.generator, p.Roles.Generator, hosts["generator"]), Transfer: m.asks(m.transfer, p.Roles.Transfer, hosts["transfer"]),
		Reference: m.reads(), Checkpoints: &checkpoints{s.writer.Dir(), s}, Artifacts: artifacts{s.writer.Dir()},
		Lab: &lab.Lab{
			Domain: m.domain, Seed: p.Run.Seed, Attempts: p.Target.Attempts, Emit: s.emit, Meter: o.Meter, Known: known,
			Oracles: m.oracles, Answers: p.Oracle.Answers, MaxErrors: p.Run.MaxErrors,
			Solver: lab.Solver{Model: m.solver, Params: params(p.Roles.Solver.Binding), Dialect: m.dialect, Style: domains.Style(p.Roles.Solver.Style)},
		},
	}
	if err := r.Run(ctx, bench); err != nil {
		return nil, err
	}
	closeHosts(s.writer.Run(), hosts, s.notice)
	wall := s.before + time.Since(began)
	if o.Control != nil {
		wall -= o.Control.Held(began)
	}
	from := report.Source{Run: s.writer.Run(), Dir: s.writer.Dir(), Wall: wall}
	summary, err := report.New(from, s.fold.Snapshot())
	if err != nil {
		return nil, err
	}
	// Before the end: a run that is killed between the two is resumed, one that has ended is not.
	if err := s.writer.SetHeadline(summary.Headline(), summary.Figure()); err != nil {
		return nil, err
	}
	if err := s.emit(event.RunEnded{}); err != nil {
		return nil, err
	}
	summary, err = report.New(from, s.fold.Snapshot())
	return &summary, err
}

func params(r profiles.Binding) backend.Params {
	return backend.Params{Temperature: r.Temperature, TopK: r.TopK, TopP: r.TopP, MaxTokens: r.MaxTokens}
}

// asks is a generator as it is asked: here, or where it is hosted.
func (m models) asks(generator backend.Model, as profiles.Binding, at *hosted.Host) lab.Generator {
	g := lab.Generator{Model: generator, Params: params(as), Dialect: m.dialect}
	if at != nil {
		g.Elsewhere = at.Through
	}
	return g
}

// RequestError is a wrong request: the binary exits with code 2 on it.
type RequestError struct {
	Text  string
	cause error // what errors.Is finds in it
}

func (e *RequestError) Error() string { return e.Text }

// Unwrap is the error of the store, or one of this package's, that the request led to; nil where there is none.
func (e *RequestError) Unwrap() error { return e.cause }

func refuse(format string, args ...any) error {
	return &RequestError{Text: fmt.Sprintf(format, args...)}
}

// Check refuses what Run would refuse before it writes anything.
func Check(p *profiles.Profile) error {
	r, err := resolve(p)
	if err != nil {
		return err
	}
	m, err := bind(context.Background(), p, r)
	if err != nil {
		return err
	}
	m.servers.close()
	return nil
}

// Cost is a bound of what a profile's run spends; false of a recipe that this version does not have.
func Cost(p *profiles.Profile) (recipe.Cost, bool) {
	r, ok := recipe.All[p.Run.Recipe]
	if !ok {
		return recipe.Cost{}, false
	}
	return r.Cost(p), true
}
