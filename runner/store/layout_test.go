package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/runner/event"
)

// earlier copies a run of a version of the layout, from testdata. Those of the first and of the second have failed.
func earlier(t *testing.T, version string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "20261129-193535-quick-2411")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", version))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func layout(t *testing.T, dir string) string {
	t.Helper()
	meta, err := readMeta(reader(t, dir).db)
	if err != nil {
		t.Fatal(err)
	}
	return meta[keyVersion]
}

func TestAnEarlierLayoutIsReadAsItIs(t *testing.T) {
	dir := earlier(t, "v1")
	path := filepath.Join(dir, dbFile)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t, dir)
	if got := info(t, dir); got.State != Failed || got.Profile != "quick" || got.Tags != nil || got.Note != "" {
		t.Errorf("info %+v", got)
	}
	fold, err := r.Load()
	if err != nil {
		t.Fatal(err)
	}
	if s := fold.Snapshot(); s.Events != 68 || s.Arm("base").Eval.Proposed != 6 || s.Ended == nil {
		t.Errorf("folded %d events, %d proposals", s.Events, s.Arm("base").Eval.Proposed)
	}
	k := event.Key{Arm: "base", Stage: event.Eval, Proposal: 1}
	if v, ok, err := r.Validation(k); err != nil || !ok || v.Key != k {
		t.Errorf("Validation = %+v, %v, %v", v, ok, err)
	}
	if times, err := r.StageTimes(); err != nil || times[event.Eval] == 0 {
		t.Errorf("StageTimes = %v, %v", times, err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("reading changed the file, %v", err)
	}
}

func TestEarlierLayoutsAreTakenToThePresentOneByTheirNextWriter(t *testing.T) {
	for n := 1; n < len(layouts); n++ {
		version := fmt.Sprintf("v%d", n)
		dir := earlier(t, version)
		before, was := stored(t, reader(t, dir)), info(t, dir)
		w, err := Reopen(dir)
		if err != nil {
			t.Fatal(err)
		}
		appendAll(t, w, event.StageStarted{Arm: "propel", Stage: event.Eval, Total: 1})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		after := stored(t, reader(t, dir))
		if len(after) != len(before)+1 || !cmp.Equal(after[:len(before)], before) {
			t.Errorf("%s: %d events before, %d after, or others", version, len(before), len(after))
		}
		if was.State = Interrupted; !cmp.Equal(was, info(t, dir)) {
			t.Errorf("%s: the run is listed as %+v, want %+v", version, info(t, dir), was)
		}
		fresh := create(t, t.TempDir())
		if diff := cmp.Diff(schemaOf(t, fresh.Dir()), schemaOf(t, dir)); diff != "" {
			t.Errorf("%s: a new run and a migrated one are laid out differently (-new +migrated):\n%s", version, diff)
		}
		if a, b := layout(t, fresh.Dir()), layout(t, dir); a != b || a != fmt.Sprint(len(layouts)) {
			t.Errorf("%s: a new run states layout %s, a migrated one %s", version, a, b)
		}
	}
}

// The second layout took an oracle's answer twice.
func TestAnsweredTasksOfAnEarlierLayout(t *testing.T) {
	dir := earlier(t, "v2")
	if got, err := reader(t, dir).Oracles(key(2)); err != nil || len(got) != 2 || got[1].Oracle != 1 {
		t.Errorf("answers %+v, error %v", got, err)
	}
	w, err := Reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, event.OracleAnswered{Key: key(2), Oracle: 1})
	if err := w.Close(); !errors.Is(err, ErrDuplicate) {
		t.Errorf("an answer that is there already: error %v", err)
	}
}

func schemaOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	rows, err := reader(t, dir).db.Query(`SELECT name, coalesce(sql, '') FROM sqlite_schema`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	schema := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		schema[name] = text
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestALayoutIsChangedWholeOrNotAtAll(t *testing.T) {
	dir := earlier(t, "v1")
	spoil(t, dir, `CREATE INDEX stages ON events (arm)`) // the last thing the second layout makes
	if _, err := Reopen(dir); err == nil || !strings.Contains(err.Error(), "version 2") || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want one that names version 2 and the run", err)
	}
	if got := layout(t, dir); got != "1" {
		t.Errorf("layout %s after a change that failed", got)
	}
	if s := schemaOf(t, dir); s["validations"] != "" {
		t.Error("half of the change was kept")
	}
	spoil(t, dir, `DROP INDEX stages`)
	w, err := Reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestARefusedReopenChangesNothing(t *testing.T) {
	dir := earlier(t, "v1")
	spoil(t, dir, `UPDATE meta SET value = 'done' WHERE key = 'state'`)
	before, err := os.ReadFile(filepath.Join(dir, dbFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Reopen(dir); !errors.Is(err, ErrDone) {
		t.Fatalf("error %v, want %v", err, ErrDone)
	}
	after, err := os.ReadFile(filepath.Join(dir, dbFile))
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed, %v", err)
	}
}

// The indices are of use only if the look-ups are answered from them.
func TestLookUpsOfOneTaskUseAnIndex(t *testing.T) {
	w := create(t, t.TempDir())
	for name, index := range map[string]string{"TaskProposed": "proposals", "TaskValidated": "validations", "ProbeScored": "scores", "OracleAnswered": "oracles", "AttemptGraded": "attempts"} {
		rows := w.db.QueryRow(`EXPLAIN QUERY PLAN SELECT payload FROM events
			WHERE name = '` + name + `' AND arm = 'a' AND stage = 's' AND step = 1 AND proposal = 2`)
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(detail, index) {
			t.Errorf("%s is looked up by %q", name, detail)
		}
	}
}

func TestWhatIsKnownOfOneTask(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), proposal(3, 1)...)...)
	appendAll(t, w, event.ProbeScored{Key: key(3), Probe: "main", Logit: 1}, event.ProbeScored{Key: key(4), Probe: "main"},
		event.ProbeScored{Key: key(3), Probe: "again", Logit: -2})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := reader(t, w.Dir())
	if v, ok, err := r.Validation(key(3)); err != nil || !ok || v.Task.Statement != "3 + 4" || v.Validity != (domains.Validity{Valid: true}) {
		t.Errorf("Validation = %+v, %v, %v", v, ok, err)
	}
	if _, ok, err := r.Validation(key(4)); ok || err != nil {
		t.Errorf("Validation of an unknown key = %v, %v", ok, err)
	}
	want := []event.ProbeScored{{Key: key(3), Probe: "main", Logit: 1}, {Key: key(3), Probe: "again", Logit: -2}}
	if got, err := r.Scores(key(3)); err != nil || !cmp.Equal(got, want) {
		t.Errorf("Scores = %+v, %v", got, err)
	}
	if n, err := r.Count(); err != nil || n != 8 {
		t.Errorf("Count = %d, %v, want 8", n, err)
	}
}
