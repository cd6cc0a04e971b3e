//go:build unix

package tui

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"verge/tui/guard"
	"verge/tui/screen"
)

// terminalSignals puts the terminal back before the process is stopped, or ended with a dump of its goroutines, and takes it again when the
// process goes on.
type terminalSignals struct {
	program *tea.Program
	signals chan os.Signal
	resumed chan struct{} // sent when the process goes on after it was suspended

	mu        sync.Mutex
	suspended bool
}

// watch takes the signals until the function that it returns is called.
func (s *terminalSignals) watch(p *tea.Program, g *guard.Guard) (stop func()) {
	s.program, s.signals, s.resumed = p, make(chan os.Signal, 4), make(chan struct{}, 1)
	signal.Notify(s.signals, unix.SIGTSTP, unix.SIGCONT, unix.SIGQUIT)
	g.Go("watching signals", func() {
		for sig := range s.signals {
			s.take(sig)
		}
	})
	return func() {
		signal.Stop(s.signals)
		close(s.signals)
	}
}

func (s *terminalSignals) take(sig os.Signal) {
	switch sig {
	case unix.SIGTSTP:
		s.program.Send(tea.SuspendMsg{})
	case unix.SIGCONT:
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.suspended {
			s.suspended = false
			s.resumed <- struct{}{}
			return
		}
		go s.program.Send(continued{}) // it was stopped by a signal that none can catch, and others have used the terminal since
	case unix.SIGQUIT:
		s.release()
		signal.Reset(unix.SIGQUIT)
		unix.Kill(os.Getpid(), unix.SIGQUIT)
	}
}

// release puts the terminal back; one that takes nothing is waited for only for a moment.
func (s *terminalSignals) release() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.program.ReleaseTerminal()
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

// before is given every message before the program takes it. Bubble Tea's own way to suspend a process sends SIGTSTP, which stops none that
// has ever caught it, and waits for ever where no shell is there to go on with the process.
func (s *terminalSignals) before(_ tea.Model, msg tea.Msg) tea.Msg {
	var err error
	switch msg.(type) {
	case tea.SuspendMsg:
		if alone() {
			return screen.Say{Text: "there is no shell to go back to: the terminal was opened for this command alone"}
		}
		err = s.suspend()
	case continued:
		err = errors.Join(s.program.ReleaseTerminal(), s.program.RestoreTerminal())
	default:
		return msg
	}
	if err != nil {
		return broken{fmt.Errorf("%w: %w", ErrTerminal, err)}
	}
	return continued{}
}

// suspend stops the process, and returns when it goes on.
func (s *terminalSignals) suspend() error {
	if err := s.program.ReleaseTerminal(); err != nil {
		return err
	}
	s.mu.Lock()
	s.suspended = true
	s.mu.Unlock()
	if err := unix.Kill(0, unix.SIGSTOP); err != nil { // with all that was started by the same command, as ^Z does
		return err
	}
	<-s.resumed
	return s.program.RestoreTerminal()
}

// alone says that no shell started the process as a job of its own, so that nobody would go on with it.
func alone() bool {
	session, err := unix.Getsid(0)
	return err != nil || unix.Getpgrp() == session
}
