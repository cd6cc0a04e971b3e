package runner

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verge/profiles"
	"verge/runner/engine"
	"verge/runner/lab"
)

func TestAChangedModelFileIsNamedOnResume(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("model.gguf", engine.MicroFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	was, err := digestOf("model.gguf")
	if err != nil {
		t.Fatal(err)
	}
	// Two proposals train no probe: the run fails after its first arm, and can be resumed.
	p := small(t, "roles.solver.model=model.gguf", "corpus.proposals=2", "evaluation.proposals=5")
	var run string
	_, err = Run(context.Background(), Options{Profile: p, Out: "runs", Meter: &lab.Meter{}, Started: func(d string) { run = d }})
	if err == nil || run == "" {
		t.Fatalf("the run did not start, or did not fail: %v", err)
	}
	run = filepath.Join(dir, run)

	resume := func() error {
		t.Helper()
		p, err := StoredProfile(run)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(context.Background(), Options{Profile: p, Resume: run, Meter: &lab.Meter{}})
		return err
	}
	t.Chdir(t.TempDir()) // the path was relative
	var request *RequestError
	if err := resume(); errors.As(err, &request) || !strings.Contains(err.Error(), "corpus.proposals") {
		t.Errorf("from another working directory: %v, want the failure of the run itself", err)
	}

	file := filepath.Join(dir, "model.gguf")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range [][]byte{append(whole, 0), []byte("not a model")} {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		now, err := digestOf(file)
		if err != nil {
			t.Fatal(err)
		}
		err = resume()
		if !errors.As(err, &request) || !errors.Is(err, ErrDiverged) {
			t.Fatalf("a changed file: %v", err)
		}
		for _, want := range []string{"roles.solver.model", file, was, now, "put the earlier one back"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the message lacks %q: %v", want, err)
			}
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	err = resume()
	if !errors.As(err, &request) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), was) || !strings.Contains(err.Error(), "put it back") {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(file, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := resume(); errors.As(err, &request) {
		t.Errorf("with the file put back: %v", err)
	}
}

func TestARunOfAnotherVersionIsLeftAsItIs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("store", "testdata", "v1"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "run.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`UPDATE events SET payload = replace(payload, '"version":"devel"', '"version":"v0.0.1"') WHERE seq = 1`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := StoredProfile(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}})
	var request *RequestError
	if !errors.As(err, &request) || !errors.Is(err, ErrDiverged) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "verge v0.0.1 (go") || !strings.Contains(err.Error(), "this is verge "+Version()) {
		t.Errorf("error %v, want one that names both versions", err)
	}
	after, err := os.ReadFile(file)
	if err != nil || string(after) != string(before) {
		t.Errorf("the run was changed, %v", err)
	}
}

func TestModelFilesAreThoseOfTheEngineBackend(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load("quick", []string{"roles.generator.model=./a/../m.gguf", "roles.solver.model=/abs/m.gguf"})
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]string{
		"generator": filepath.Join(here, "m.gguf"), "reference": filepath.Join(here, "m.gguf"), "solver": "/abs/m.gguf", "transfer": "", "judge": "",
	} {
		if got := p.Roles.File(role); got != want {
			t.Errorf("the file of role %s is %q, want %q", role, got, want)
		}
	}
}
