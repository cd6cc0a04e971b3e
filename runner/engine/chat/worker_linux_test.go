package chat

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A process that somebody else ended is started again, whatever the reason was: memory that another program needed, or a service's end.
func TestAnEndedProcessIsNoErrorOfTheTemplate(t *testing.T) {
	w := &worker{source: "{{ messages[0].content }}"}
	c := conversation{Messages: []Message{{"user", "x"}}, Within: maxTime}
	for _, signal := range []syscall.Signal{0, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL} {
		if w.process != nil {
			if err := w.process.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := w.render(c); text != "x" || err != nil {
			t.Errorf("after %v: rendered %q, error %v", signal, text, err)
		}
	}
}

// A run may outlast the file of its program, which is replaced by a new version or removed.
func TestAProgramThatIsGoneStillRenders(t *testing.T) {
	const gone = "VERGE_TEST_PROGRAM_GONE"
	if program := os.Getenv(gone); program != "" {
		if err := os.Remove(program); err != nil {
			t.Fatal(err)
		}
		w := &worker{source: "{{ messages[0].content }}"}
		if text, err := w.render(conversation{Messages: []Message{{"user", "x"}}, Within: maxTime}); text != "x" || err != nil {
			t.Errorf("rendered %q, error %v", text, err)
		}
		return
	}
	this, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(this)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, code, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), gone+"="+program)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
