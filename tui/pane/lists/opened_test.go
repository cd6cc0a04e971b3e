package lists

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/domains"
	"verge/domains/prompt"
	"verge/profiles"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
)

// deliver runs the command that an action gave and hands over what it brings, as the program does.
func deliver(p pane.Pane, c pane.Context, cmd tea.Cmd) {
	if cmd != nil {
		p.Receive(cmd(), c)
	}
}

func opensTask(t *testing.T, run *live) string {
	t.Helper()
	p := newTasks()
	deliver(p, run.context(), p.Do(keys.Open, run.context()))
	return drawn(p, run.context(), 100, 200)
}

func TestOneTaskInFull(t *testing.T) {
	run := newLive(t, fixture.PROPEL()...)
	c := run.context()
	p := newTasks()
	cmd := p.Do(keys.Open, c)
	wants(t, drawn(p, c, 100, 200), "reading the task")
	if !p.Open() {
		t.Error("Back would not close the task")
	}
	for key, want := range map[string]keys.Action{"n": keys.Next, "p": keys.Previous, "v": keys.Expand, "y": keys.Copy} {
		b, ok := keys.Bindings.Key(want, p.Scopes()...)
		if a, _ := keys.Bindings.Find(key, p.Scopes()...); a != want || !ok || !b.Footer {
			t.Errorf("key %s of an open task asks for %q; it stands in the footer: %v", key, a, ok && b.Footer)
		}
	}
	if _, ok := keys.Bindings.Find("o", p.Scopes()...); ok {
		t.Error("a task that is shown in full can be put in another order")
	}
	deliver(p, c, cmd)
	wants(t, p.Title(c), "propel/eval/12/79")
	wants(t, drawn(p, c, 100, 200), "1 of 504", "statement (48+514)*1", "prompt ⟨math⟩⟨propose⟩", "features digits 5, operations 2", "10 tokens sampled", "✓ validity: passed",
		"oracle       562", "claimed      none", "pseudo-label none", "no probe has scored it", "none: proposals of stage eval train no policy",
		"Attempts: 8 of 8, 3 right: in band ★", "✗ 3 wrong: answered 5620; the answer is 562; 6 tokens", "✗ step sum: (48+514)*1=5620")
	p.Do(keys.Back, c)
	if p.Open() {
		t.Error("Back leaves the task open")
	}
	wants(t, drawn(p, c, 100, 20), "504 tasks")
}

func TestNextAndPreviousGoThroughTheFilteredList(t *testing.T) {
	run := someTasks(t)
	c := run.context()
	p := newTasks()
	p.Do(keys.Search, c)
	typed(p, c, "propel")
	press(p, c, tea.KeyEnter)
	at := func(want, place string) {
		t.Helper()
		wants(t, drawn(p, c, 80, 40), "reply "+want, place)
	}
	deliver(p, c, p.Do(keys.Open, c))
	at("<d>", "1 of 4")
	deliver(p, c, p.Do(keys.Next, c))
	at("<c>", "2 of 4")
	deliver(p, c, p.Do(keys.Next, c))
	deliver(p, c, p.Do(keys.Next, c))
	at("<a>", "4 of 4")
	if said, ok := p.Do(keys.Next, c)().(screen.Say); !ok || said.Text != "this is the last task of the list" {
		t.Errorf("after the last task: %+v", said)
	}
	at("<a>", "4 of 4")
	deliver(p, c, p.Do(keys.Previous, c))
	at("<b>", "3 of 4")
	p.Do(keys.Back, c)
	if line := linesWith(drawn(p, c, 80, 40), "▸"); len(line) != 1 || !strings.Contains(line[0], "<b>") {
		t.Errorf("the list selects %q", line)
	}
}

func TestDetailsThatComeLateAreDropped(t *testing.T) {
	run := someTasks(t)
	c := run.context()
	p := newTasks()
	first := p.Do(keys.Open, c)
	second := p.Do(keys.Next, c)
	deliver(p, c, second)
	deliver(p, c, first)
	drawing := drawn(p, c, 80, 40)
	wants(t, drawing, "reply <d>")
	lacks(t, drawing, "reply <x>")

	third := p.Do(keys.Next, c)
	p.Do(keys.Back, c)
	deliver(p, c, third)
	lacks(t, drawn(p, c, 80, 40), "reply")
}

func TestATaskThatCannotBeReadSaysWhy(t *testing.T) {
	c := someTasks(t).context()
	c.Detail = func(board.Task) (session.Detail, error) { return session.Detail{}, errors.New("disk on \x1b[31mfire") }
	p := newTasks()
	deliver(p, c, p.Do(keys.Open, c))
	wants(t, drawn(p, c, 80, 40), "The task could not be read: disk on fire")
	say := p.Do(keys.Copy, c)().(screen.Say)
	if !say.Bad || !strings.Contains(say.Text, "disk on fire") {
		t.Errorf("copying says %+v", say)
	}
}

// What is open stays open, and in its place, while newer tasks come.
func TestAnOpenTaskStaysWhileTheListGrows(t *testing.T) {
	run := newLive(t, started())
	run.apply(propose("propel", 0, "<a>", "")...)
	run.apply(propose("propel", 1, "<b>", "")...)
	p := newTasks()
	deliver(p, run.context(), p.Do(keys.Open, run.context()))
	wants(t, drawn(p, run.context(), 80, 40), "1 of 2", "reply <b>")
	run.apply(propose("propel", 2, "<c>", "")...)
	wants(t, drawn(p, run.context(), 80, 40), "2 of 3", "reply <b>")
	deliver(p, run.context(), p.Do(keys.Open, run.context()))
	wants(t, drawn(p, run.context(), 80, 40), "2 of 3", "reply <b>")
	deliver(p, run.context(), p.Do(keys.Next, run.context()))
	wants(t, drawn(p, run.context(), 80, 40), "3 of 3", "reply <a>")
}

func TestAnOpenTaskTellsOfAttemptsThatCameLater(t *testing.T) {
	run := newLive(t, started())
	run.apply(propose("propel", 0, "<a>", "")...)
	p := newTasks()
	deliver(p, run.context(), p.Do(keys.Open, run.context()))
	wants(t, drawn(p, run.context(), 80, 40), "Attempts: none")
	run.apply(verdictsOn("propel", 0, "r")...)
	wants(t, drawn(p, run.context(), 80, 40), "more is known by now: ⏎ reads it", "Attempts: none")
	deliver(p, run.context(), p.Do(keys.Open, run.context()))
	drawing := drawn(p, run.context(), 80, 40)
	wants(t, drawing, "Attempts: 1 of 2, 1 right of 1 graded; the solve rate needs 2")
	lacks(t, drawing, "by now")
}

func TestPartsOfTheReward(t *testing.T) {
	start := started().(event.RunStarted)
	p := profiles.Default()
	p.Policy.InvalidReward = -0.7
	start.Resolved = p.Resolved()
	key := event.Key{Arm: "propel", Stage: event.Train}

	run := newLive(t, start)
	run.apply(propose("propel", 0, "1+", "syntax")...)
	wants(t, opensTask(t, run), "✗ validity: refused, syntax; told at length: syntax", "not valid: policy.invalid_reward = -0.7")

	run = newLive(t, started())
	run.apply(propose("propel", 0, "1+", "syntax")...)
	wants(t, opensTask(t, run), "not valid: policy.invalid_reward, which cannot be told: the run did not record its profile")

	run = newLive(t, start)
	run.apply(propose("propel", 0, "1+1", "")...)
	wants(t, opensTask(t, run), "valid, and no probe scored it")
	run.apply(scored("propel", 0, 1.25))
	spread := 0.5
	run.apply(event.ProbeScored{Key: key, Probe: "worst-case", Logit: -0.25, Spread: &spread})
	wants(t, opensTask(t, run), "in-band logit +1.250", "worst-case logit -0.250, standard deviation over the members 0.500", "valid, so the logit of probe worst-case: -0.250")

	run = newLive(t, start, event.TaskProposed{Key: key, Error: "connection lost"})
	wants(t, opensTask(t, run), "! the generator's reply could not be had: connection lost", "none: a proposal that could not be had is in no update", "no gate has decided")

	run = newLive(t, start, event.TaskProposed{Key: key})
	wants(t, opensTask(t, run), "none yet: it is not validated")
}

func TestEpisodesOfSeveralTurnsAndAnswersApart(t *testing.T) {
	key := event.Key{Arm: "propel", Stage: event.Train}
	turns := []domains.Turn{
		{Prompt: prompt.Prompt{prompt.Say(prompt.System, "be brief"), prompt.Say(prompt.User, "break\nthis")}, Reply: "ls"},
		{Prompt: prompt.Prompt{prompt.Say(prompt.User, "main.go")}, Reply: ""},
	}
	task := domains.Task{ID: "t", Statement: "fix it", Claimed: domains.Some("1"), Oracle: domains.Some("2"), Pseudo: domains.Some("")}
	run := newLive(t, started(), event.TaskProposed{Key: key, Episode: domains.Episode{Turns: turns}},
		event.TaskValidated{Key: key, Task: task, Validity: domains.Validity{Valid: true}},
		event.AttemptGraded{Key: key, Episode: domains.Episode{Turns: turns}, Grading: domains.Grading{Verdict: domains.Undecided, Reason: "two answers"}},
		event.AttemptGraded{Key: key, Attempt: 1, Grading: domains.Grading{Verdict: domains.Error, Reason: "timed out"}})
	c := run.context()
	p := newTasks()
	deliver(p, c, p.Do(keys.Open, c))
	drawing := drawn(p, c, 100, 200)
	wants(t, drawing, "prompt 1 ⟨system⟩ be brief", "⟨user⟩ break", "reply 1 ls", "prompt 2 ⟨user⟩ main.go", "reply 2 (empty)",
		"claimed      1", "oracle       2", "pseudo-label (empty)", "? 1 undecided: answered none; two answers", "! 2 error: answered none; timed out",
		"prompt 1 ⟨system⟩ be brief …")
	if n := strings.Count(drawing, "⟨user⟩ break"); n != 1 {
		t.Errorf("the attempt's prompt is not collapsed: %d", n)
	}
	p.Do(keys.Expand, c)
	if n := strings.Count(drawn(p, c, 100, 200), "⟨user⟩ break"); n != 2 {
		t.Errorf("the attempt's prompt is not given in full: %d", n)
	}
}

func TestALongTaskIsScrolled(t *testing.T) {
	run := newLive(t, fixture.PROPEL()...)
	c := run.context()
	p := newTasks()
	deliver(p, c, p.Do(keys.Open, c))
	wants(t, drawn(p, c, 60, 10), "Proposal", "lines 1 to 8 of")
	p.Do(keys.Down, c)
	lacks(t, drawn(p, c, 60, 10), "Proposal")
	p.Do(keys.Bottom, c)
	wants(t, drawn(p, c, 60, 10), "✗ step sum")
	p.Do(keys.PageUp, c)
	p.Do(keys.Top, c)
	wants(t, drawn(p, c, 60, 10), "Proposal")
}

type tty struct {
	bytes.Buffer
	closed bool
}

func (t *tty) Close() error { t.closed = true; return nil }

func TestCopyWritesOneSequenceToTheTerminal(t *testing.T) {
	t.Setenv("STY", "")
	run := newLive(t, started())
	run.apply(propose("propel", 0, "1+\x1b]52;c;aGFja2Vk\a1\nnext", "")...)
	c := run.context()
	for _, opened := range []bool{false, true} {
		var out tty
		p := newTasks()
		p.tty = func() (io.WriteCloser, error) { return &out, nil }
		if opened {
			deliver(p, c, p.Do(keys.Open, c))
		}
		say := p.Do(keys.Copy, c)().(screen.Say)
		if say.Bad || !strings.Contains(say.Text, "propel/train/0/0") || !out.closed {
			t.Errorf("copying says %+v", say)
		}
		payload, ok := strings.CutPrefix(strings.TrimSuffix(out.String(), "\a"), "\x1b]52;c;")
		plain, err := base64.StdEncoding.DecodeString(payload)
		if !ok || err != nil {
			t.Fatalf("%q is no OSC 52 sequence: %v", out.String(), err)
		}
		wants(t, string(plain), "statement 1+1\n            next\n", "Attempts: none")
		for line := range strings.SplitSeq(string(plain), "\n") {
			if line != text.Safe(line) {
				t.Errorf("a line that is pasted holds control characters: %q", line)
			}
		}
	}
}

func TestCopyThatCannotBeSaysWhy(t *testing.T) {
	run := newLive(t, started())
	run.apply(propose("propel", 0, strings.Repeat("long ", 20_000), "")...)
	run.apply(propose("propel", 1, "short", "")...)
	c := run.context()
	p := newTasks()
	p.tty = func() (io.WriteCloser, error) { return nil, errors.New("no such device") }
	if say := p.Do(keys.Copy, c)().(screen.Say); !say.Bad || !strings.Contains(say.Text, "there is no terminal to ask: no such device") {
		t.Errorf("without a terminal: %+v", say)
	}
	drawn(p, c, 80, 10)
	p.Do(keys.Down, c)
	if say := p.Do(keys.Copy, c)().(screen.Say); !say.Bad || !strings.Contains(say.Text, "more than terminals take") {
		t.Errorf("of a long task: %+v", say)
	}
}

// Nothing that a model wrote gets to the screen as it is, or out of the box.
func TestHostileTasksInFull(t *testing.T) {
	run := newLive(t, fixture.Hostile()...)
	c := run.context()
	p := newTasks()
	drawn(p, c, 60, 20)
	deliver(p, c, p.Do(keys.Open, c))
	for range c.Tasks.Len() {
		p.Do(keys.Expand, c)
		if title := p.Title(c); title != text.Safe(title) {
			t.Errorf("the title %q is not safe", title)
		}
		for _, width := range []int{1, 7, 20, 58, 198} {
			for _, line := range p.View(c, width, 5000) {
				if line != text.Safe(line) || text.Width(line) > width {
					t.Fatalf("width %d: %q is %d cells wide", width, line, text.Width(line))
				}
			}
		}
		deliver(p, c, p.Do(keys.Next, c))
	}
}
