package main

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"verge/runner/backend/ollama/doctor"
	"verge/runner/backend/ollama/hostile"
)

// nowhere is an address of this machine at which nobody listens.
func nowhere(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestDoctorWithoutAServer(t *testing.T) {
	host := nowhere(t)
	stdout, stderr, code := verge(t, t.TempDir(), "doctor", "--host", host)
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	for _, want := range []string{"ok       engine", "kernels", "micro", "missing  server", host, "ollama.com/download"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, stdout)
		}
	}
	if _, stderr, code := verge(t, t.TempDir(), "doctor", "--host", host, "--model", "nope"); code != exitRequest || !strings.Contains(stderr, "model nope: server: none answers at http://"+host) {
		t.Errorf("a model by name: exit code %d, standard error %q", code, stderr)
	}
	stdout, _, code = verge(t, t.TempDir(), "doctor", "--json", "--host", host)
	var r doctor.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 || len(r.Checks) != 2 || r.Checks[0].State != doctor.OK || r.Checks[1].State != doctor.Missing {
		t.Errorf("exit code %d, error %v, report %+v", code, err, r)
	}
}

func TestDoctorWithAServer(t *testing.T) {
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Down()
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--host", s.URL(), "--model", "test"}, 0, "ok       reply"},
		{[]string{"--host", s.URL(), "--model", "absent"}, exitRequest, "ollama pull absent"},
		{[]string{"--host", "ftp://gpu"}, exitRequest, "neither http nor https"},
		{[]string{"test"}, exitRequest, "takes no argument"},
	} {
		stdout, stderr, code := verge(t, t.TempDir(), append([]string{"doctor"}, test.args...)...)
		if code != test.code || !strings.Contains(stdout+stderr, test.want) {
			t.Errorf("doctor %v: exit code %d, want %d and %q\n%s%s", test.args, code, test.code, test.want, stdout, stderr)
		}
	}
}
