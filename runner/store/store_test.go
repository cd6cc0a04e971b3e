package store

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verge/runner/event"
)

func TestEventsComeBack(t *testing.T) {
	w := create(t, t.TempDir())
	want := opening()
	for i := range 300 { // more than a page of events
		want = append(want, proposal(i, 2)...)
	}
	want = append(want, event.ProbeTrained{Probe: "main"}, event.ProbeScored{Key: key(0), Probe: "main", Logit: 1.5},
		event.ProbeScored{Key: key(0), Probe: "second"}, event.PolicyUpdated{Arm: "base", Step: 1},
		event.Measured{Arm: "base", Steps: 1}, event.Evaluated{Arm: "base"}, event.Warned{Code: "c", Text: "<|é|>"}, event.RunEnded{})
	for chunk := range slices.Chunk(want, 7) {
		appendAll(t, w, chunk...)
	}
	figure := 1 / 3.0
	if err := w.SetHeadline("base in band 100.0 %", &figure); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	r := reader(t, w.Dir())
	if diff := cmp.Diff(want, stored(t, r)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for record, err := range r.Events(int64(len(want)) - 1) {
		if err != nil || !cmp.Equal(record.Event, want[record.Seq-1]) {
			t.Errorf("Events(%d) yields %+v, error %v", len(want)-1, record, err)
		}
	}
	fold, err := r.Load()
	if err != nil {
		t.Fatal(err)
	}
	if s := fold.Snapshot(); s.Events != len(want) || s.Arm("base").Eval.InBand != 300 {
		t.Errorf("fold of %d events has %d in band, want %d and 300", s.Events, s.Arm("base").Eval.InBand, len(want))
	}
	wantInfo := RunInfo{Run: w.Run(), Profile: "Quick Start.toml", Recipe: "propel", Domain: "math", Seed: 1<<64 - 1, State: Done,
		Started: time.Date(2026, 11, 29, 16, 23, 18, 0, time.UTC), Headline: "base in band 100.0 %", Figure: &figure, Dir: w.Dir()}
	if diff := cmp.Diff(wantInfo, info(t, w.Dir())); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
	payload, err := json.Marshal(wantInfo)
	if err != nil || !strings.Contains(string(payload), `"seed":18446744073709551615,"state":"done","started":"2026-11-29T16:23:18Z","headline":"base in band 100.0 %"}`) {
		t.Errorf("info marshals to %s, error %v", payload, err)
	}
	if names := files(t, w.Dir()); !slices.Equal(names, []string{dbFile, lockFile}) {
		t.Errorf("a closed run is the files %q, want %q and %q", names, dbFile, lockFile)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRunNames(t *testing.T) {
	for profile, want := range map[string]string{
		"quick": "quick", "Quick Start.toml": "quick-start-toml", "../../etc/passwd": "etc-passwd", "": "run", "éà": "run",
		"a-name-that-is-much-longer-than-it-has-to-be": "a-name-that-is-much-long",
	} {
		got := newRun(Header{Profile: profile, Started: header().Started})
		if !regexp.MustCompile(`^20261129-162318-` + want + `-[0-9a-f]{4}$`).MatchString(got) {
			t.Errorf("newRun(%q) = %q, want the slug %q", profile, got, want)
		}
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with space", "what?mode=memory", "a#b", "100%25 %", "ü;&=+", "'quoted\""} {
		out := filepath.Join(t.TempDir(), name, "runs")
		w := create(t, out)
		appendAll(t, w, opening()...)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		runs, problems, err := List(out)
		if err != nil || len(problems) != 0 || len(runs) != 1 || runs[0].Run != w.Run() {
			t.Errorf("List(%q) = %v, %v, %v", out, runs, problems, err)
		}
		if got := len(stored(t, reader(t, filepath.Join(out, w.Run())))); got != 2 {
			t.Errorf("%q: %d events, want 2", out, got)
		}
	}
}

func TestDuplicatesAreRefused(t *testing.T) {
	two := append(proposal(0, 2), event.OracleAnswered{Key: key(0)}, event.OracleAnswered{Key: key(0), Oracle: 1})
	for name, duplicate := range map[string]event.Event{
		"TaskProposed base/eval/3/0":            two[0],
		"AttemptGraded base/eval/3/0 attempt 1": two[3],
		"OracleAnswered base/eval/3/0":          two[5],
	} {
		w := create(t, t.TempDir())
		appendAll(t, w, append(opening(), two...)...)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		appendAll(t, w, event.Warned{Code: "same batch"}, duplicate)
		for call, err := range map[string]error{"Flush": w.Flush(), "Append": second(w.Append(event.Warned{})), "SetHeadline": w.SetHeadline("", nil), "Close": w.Close()} {
			if !errors.Is(err, ErrDuplicate) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: error %v, want one that names %s", call, err, name)
			}
		}
		if got := len(stored(t, reader(t, w.Dir()))); got != 8 {
			t.Errorf("%d events are stored, want the 8 before the duplicate's batch", got)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestAnEventThatCannotBeEncodedDoesNoHarm(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, opening()...)
	if _, err := w.Append(event.Warned{}, event.Warned{Text: "\xff"}); err == nil {
		t.Fatal("text that is not UTF-8 was stored")
	}
	if seq, err := w.Append(event.Warned{}); err != nil || seq != 3 {
		t.Errorf("the next Append = %d, error %v, want 3", seq, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestStates(t *testing.T) {
	out := t.TempDir()
	for name, test := range map[string]struct {
		events []event.Event
		want   State
	}{
		"done":                  {[]event.Event{event.RunEnded{}}, Done},
		"failed":                {[]event.Event{event.RunEnded{Failed: "boom"}}, Failed},
		"interrupted":           {nil, Interrupted},
		"goes on after failing": {[]event.Event{event.RunEnded{Failed: "boom"}, event.Warned{}}, Interrupted},
	} {
		w := create(t, out)
		appendAll(t, w, append(opening(), test.events...)...)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if name == "interrupted" {
			if got := info(t, w.Dir()).State; got != Running {
				t.Errorf("while it is written the state is %s, want %s", got, Running)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := info(t, w.Dir()).State; got != test.want {
			t.Errorf("%s: state %s, want %s", name, got, test.want)
		}
	}
}

func TestReopen(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), proposal(0, 2)...)...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Reopen(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if got := info(t, w.Dir()).State; got != Running {
		t.Errorf("state %s, want %s", got, Running)
	}
	if seq, err := w.Append(proposal(1, 2)...); err != nil || seq != 10 {
		t.Errorf("Append = %d, error %v, want 10", seq, err)
	}
	appendAll(t, w, event.RunEnded{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := len(stored(t, reader(t, w.Dir()))); got != 11 {
		t.Errorf("%d events, want 11", got)
	}
	if _, err := Reopen(w.Dir()); !errors.Is(err, ErrDone) {
		t.Errorf("reopening a finished run: error %v, want %v", err, ErrDone)
	}
	if _, err := Reopen(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reopening an empty folder: error %v, want %v", err, os.ErrNotExist)
	}
}

func TestClosedWriter(t *testing.T) {
	w := create(t, t.TempDir())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for call, err := range map[string]error{"Append": second(w.Append(event.Warned{})), "Flush": w.Flush(), "SetHeadline": w.SetHeadline("x", nil), "Close": w.Close()} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: error %v, want %v", call, err, ErrClosed)
		}
	}
}

func TestLookUp(t *testing.T) {
	w := create(t, t.TempDir())
	events := proposal(7, 2)
	slices.Reverse(events[2:]) // attempts end in any order
	appendAll(t, w, append(opening(), events...)...)
	other := key(7)
	other.Step++
	appendAll(t, w, event.TaskProposed{Key: other})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := reader(t, w.Dir())
	p, ok, err := r.Proposal(key(7))
	if err != nil || !ok || !cmp.Equal(event.Event(p), events[0]) {
		t.Errorf("Proposal = %+v, %v, error %v", p, ok, err)
	}
	if _, ok, err := r.Proposal(key(8)); ok || err != nil {
		t.Errorf("Proposal of an unknown key = %v, error %v", ok, err)
	}
	attempts, err := r.Attempts(key(7))
	if err != nil || len(attempts) != 2 || attempts[0].Attempt != 0 || attempts[1].Attempt != 1 {
		t.Errorf("Attempts = %+v, error %v", attempts, err)
	}
	if attempts, err := r.Attempts(other); err != nil || len(attempts) != 0 {
		t.Errorf("Attempts of a proposal without any = %+v, error %v", attempts, err)
	}
}

// Events are appended from several goroutines while others read; every reader sees a prefix without gaps.
func TestReadersDuringWrites(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, opening()...)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		r := reader(t, w.Dir())
		readers.Go(func() {
			fold, seq := &event.Fold{}, int64(0)
			for last := false; ; {
				for record, err := range r.Events(seq + 1) {
					if err == nil {
						err = fold.Apply(record.Event)
					}
					if err != nil || record.Seq != seq+1 {
						t.Errorf("seq %d after %d, error %v", record.Seq, seq, err)
						return
					}
					seq = record.Seq
				}
				if last {
					break
				}
				select {
				case <-done:
					last = true
				default:
				}
			}
			if got := fold.Snapshot().Arm("base").Eval.Graded; got != 400 {
				t.Errorf("a reader has folded %d graded tasks, want 400", got)
			}
		})
	}
	for n := range 4 {
		writers.Go(func() {
			for i := range 100 {
				for _, e := range proposal(n*100+i, 2) {
					if _, err := w.Append(e); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	writers.Wait()
	if err := w.Flush(); err != nil {
		t.Error(err)
	}
	close(done)
	readers.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestKilledWriter(t *testing.T) {
	out := t.TempDir()
	dir, kill := startWriter(t, out)
	if got := info(t, dir).State; got != Running {
		t.Errorf("while another process writes, the state is %s, want %s", got, Running)
	}
	if _, err := Reopen(dir); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Errorf("reopening a run in use: error %v, want %v and the folder", err, ErrInUse)
	}
	kill()
	runs, problems, err := List(out)
	if err != nil || len(problems) != 0 || len(runs) != 1 || runs[0].State != Interrupted {
		t.Fatalf("List = %+v, %v, %v, want one interrupted run", runs, problems, err)
	}
	r := reader(t, dir)
	before := stored(t, r)
	if len(before) < 2+51*4 {
		t.Fatalf("%d events are left of the %d that were flushed", len(before), 2+51*4)
	}
	if _, err := r.Load(); err != nil {
		t.Errorf("what is left does not fold: %v", err)
	}
	w, err := Reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if seq, err := w.Append(event.RunEnded{}); err != nil || seq != int64(len(before))+1 {
		t.Errorf("Append = %d, error %v, want %d", seq, err, len(before)+1)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := info(t, dir).State; got != Done {
		t.Errorf("state %s, want %s", got, Done)
	}
}

func TestAKillLeavesNoHalfARun(t *testing.T) {
	out := t.TempDir()
	for runs := 0; runs < 40; {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), createOut+"="+out)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for before := runs; runs < before+8; {
			entries, err := os.ReadDir(out)
			if err != nil {
				t.Fatal(err)
			}
			runs = len(entries)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if _, problems, err := List(out); err != nil || len(problems) > 0 {
			t.Fatalf("after %d runs: %v, %v", runs, problems, err)
		}
	}
}

// A copy of a run that is being written, log included, is what a power cut leaves.
func TestCopyOfAnOpenRun(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), proposal(0, 2)...)...)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(w.Dir())); err != nil {
		t.Fatal(err)
	}
	got := info(t, dir)
	if got.State != Interrupted || got.Run != "copy" {
		t.Errorf("the copy is %q, %s, want copy, %s", got.Run, got.State, Interrupted)
	}
	if n := len(stored(t, reader(t, dir))); n != 6 {
		t.Errorf("%d events, want 6", n)
	}
}

// A run that is finished or annotated is changed without a write-ahead log: a process that is killed meanwhile leaves the change half
// written, and a journal to take it back with.
func TestAChangeThatWasHalfWrittenIsTakenBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	db, err := openDB(filepath.Join(finished(t), dbFile), writing)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	// Without room in the cache, the change is in the file before it is whole.
	if _, err := db.Exec(`PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE meta SET value = replace(hex(zeroblob(5000)), '00', 'x') || value; DELETE FROM events`); err != nil {
		t.Fatal(err)
	}
	var path string
	if err := db.QueryRow(`SELECT file FROM pragma_database_list`).Scan(&path); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	if got := info(t, dir); got.State != Done || got.Profile != header().Profile {
		t.Errorf("info %+v", got)
	}
	if n := len(stored(t, reader(t, dir))); n != len(opening())+1 {
		t.Errorf("%d events, want %d", n, len(opening())+1)
	}
}

func TestListIsNewestFirstAndNamesProblems(t *testing.T) {
	out := t.TempDir()
	var want []string
	for i := range 3 {
		h := header()
		h.Started = h.Started.Add(time.Duration(i) * time.Hour)
		w, err := Create(out, h)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want = append([]string{w.Run()}, want...)
	}
	put := func(path, content string) {
		t.Helper()
		path = filepath.Join(out, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("notes.txt", "a file is no run, and no problem")
	put("foreign/readme", "not a run")
	put("sweep-kl/"+SweepFile, "{}")
	put("garbage/run.db", strings.Repeat("not a database ", 100))
	put("hollow/run.db", "")
	newer := filepath.Join(out, "newer")
	if err := os.CopyFS(newer, os.DirFS(filepath.Join(out, want[0]))); err != nil {
		t.Fatal(err)
	}
	spoil(t, newer, `UPDATE meta SET value = '99' WHERE key = 'store_version'`)
	stale := filepath.Join(out, "stale")
	if err := os.CopyFS(stale, os.DirFS(filepath.Join(out, want[0]))); err != nil {
		t.Fatal(err)
	}
	spoil(t, stale, `DELETE FROM meta WHERE key = 'seed'`)

	runs, problems, err := List(out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.Run)
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	for i, sign := range []string{"foreign", "garbage", "hollow", "store_version = 99: this Verge reads up to 3", "seed"} {
		if len(problems) != 5 || !strings.Contains(problems[i].Error(), sign) {
			t.Fatalf("problems %v, want five, number %d of them with %q", problems, i, sign)
		}
	}
}

// spoil changes a closed run behind the store's back.
func spoil(t *testing.T, dir, statement string) {
	t.Helper()
	db, err := openDB(filepath.Join(dir, dbFile), writing)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestListOfNothing(t *testing.T) {
	runs, problems, err := List(filepath.Join(t.TempDir(), "runs"))
	if len(runs)+len(problems) != 0 || err != nil {
		t.Errorf("List = %v, %v, %v, want nothing", runs, problems, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := List(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("List of a file: error %v, want one that names it", err)
	}
}

func TestDamagedEventsAreNamed(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, opening()...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, w.Dir(), `UPDATE events SET name = 'Dreamt' WHERE seq = 2`)
	if _, err := reader(t, w.Dir()).Load(); err == nil || !strings.Contains(err.Error(), "seq 2") || !strings.Contains(err.Error(), "Dreamt") {
		t.Errorf("error %v, want one that names seq 2 and Dreamt", err)
	}
}

func TestCreateWhereNothingCanBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Create(filepath.Join(file, "runs"), header())
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "--out") {
		t.Errorf("error %v, want one that names %s and --out", err, file)
	}
}

// SQLite opens no file whose path is longer than 512 bytes: the folder is made, and then the run cannot be.
func TestARunThatCannotBeCreatedLeavesNoFolder(t *testing.T) {
	out := filepath.Join(t.TempDir(), strings.Repeat("a-long-folder-name/", 30))
	if _, err := Create(out, header()); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("error %v, want one that says to name another folder", err)
	}
	if names := files(t, out); len(names) != 0 {
		t.Errorf("%q are left", names)
	}
}

// SQLite reports a database that has reached its largest size as it reports a full disk.
func TestFullDisk(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), proposal(0, 2)...)...)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.db.Exec(`PRAGMA max_page_count = 1`); err != nil { // it takes the present size instead
		t.Fatal(err)
	}
	for i := 1; i < 200; i++ {
		if _, err := w.Append(proposal(i, 2)...); err != nil {
			break
		}
	}
	for call, err := range map[string]error{"Flush": w.Flush(), "Append": second(w.Append(event.Warned{})), "Close": w.Close()} {
		if err == nil || !strings.Contains(err.Error(), filepath.Join(w.Dir(), dbFile)) || !strings.Contains(err.Error(), "free some space") {
			t.Errorf("%s: error %v, want one that names the file and says to free space", call, err)
		}
	}
	if got := info(t, w.Dir()).State; got != Interrupted {
		t.Errorf("state %s, want %s", got, Interrupted)
	}
	if _, err := reader(t, w.Dir()).Load(); err != nil {
		t.Errorf("what was stored before does not fold: %v", err)
	}
}

func TestWallLeavesPausesOut(t *testing.T) {
	w := create(t, t.TempDir())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spoil(t, w.Dir(), `DELETE FROM timings;
		INSERT INTO timings (session, seq, unix_ms) VALUES (1, 0, 1000), (1, 5, 2500), (2, 5, 900000), (2, 9, 900250)`)
	if got, err := reader(t, w.Dir()).Wall(); err != nil || got != 1750*time.Millisecond {
		t.Errorf("Wall = %v, error %v, want 1.75s", got, err)
	}
}

// BenchmarkAppend writes a whole run of 20,000 attempts, one Append each, as they come in: it has to take less than a second.
func BenchmarkAppend(b *testing.B) {
	const attempts = 20000
	out := b.TempDir()
	attempt := proposal(0, 1)[2].(event.AttemptGraded)
	for b.Loop() {
		w, err := Create(out, header())
		if err != nil {
			b.Fatal(err)
		}
		for i := range attempts {
			attempt.Key.Proposal, attempt.Attempt = i/8, i%8
			if _, err := w.Append(attempt); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/attempts, "ns/attempt")
}
