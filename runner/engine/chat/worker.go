package chat

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ardanlabs/jinja"

	"verge/internal/itself"
)

// A template is part of a file from elsewhere, and the library does whatever it says: it loops for ever, calls itself until the stack ends,
// doubles a text until the memory does, and cannot be told to stop. A file's template is therefore rendered by a process of its own: this
// program again, which the environment tells what to be before it becomes anything else.
const (
	workerEnv = "VERGE_CHAT_TEMPLATE" // the number of the process that it renders for

	maxTime   = 10 * time.Second // to render a conversation
	maxMemory = 256 << 20        // of the process, far above what a model's template needs
	maxStack  = 32 << 20
	glance    = 2 * time.Millisecond // between two looks at the two above
)

// How a process ends that its template is too much for, and what Go says of one whose stack or memory is at its end. Any other end is none of
// the template's.
const (
	tooLong  = 3
	tooLarge = 4

	stackEnded  = "stack overflow"
	memoryEnded = "out of memory"
)

func init() {
	// Somebody may have the variable set, and wants the program itself. A package that a test binary or the program holds has to look by itself: one
	// that forgot to would start itself without end.
	if os.Getenv(workerEnv) != strconv.Itoa(os.Getppid()) {
		return
	}
	// Those that a terminal sends go to all processes on it, and that of a service's end to all of the service; this one's parent may go on.
	signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGTERM)
	debug.SetMaxStack(maxStack)
	if err := work(os.Stdin, os.Stdout); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// conversation is what a template is rendered with.
type conversation struct {
	Messages   []Message
	Reply      bool
	Begin, End string        // bos_token and eos_token
	Within     time.Duration // it has to be rendered
}

// rendered is what came of it.
type rendered struct{ Text, Error string }

// work renders conversations by the template that comes first, until there are no more.
func work(in io.Reader, out io.Writer) error {
	questions, answers := gob.NewDecoder(in), gob.NewEncoder(out)
	var source string
	if err := questions.Decode(&source); err != nil {
		return err
	}
	template, err := jinja.Compile(source)
	if err != nil {
		return err
	}
	for {
		var c conversation
		if err := questions.Decode(&c); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		stop := watch(c.Within)
		text, err := renderBy(template, c)
		stop()
		r := rendered{Text: text}
		if err != nil {
			r.Error = err.Error()
		}
		if err := answers.Encode(r); err != nil {
			return err
		}
	}
}

// watch ends this process when it takes too long, or too much memory, before stop is called.
func watch(within time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		end, look := time.NewTimer(within), time.NewTicker(glance)
		defer end.Stop()
		defer look.Stop()
		memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
		for {
			select {
			case <-done:
				return
			case <-end.C:
				os.Exit(tooLong)
			case <-look.C:
				if metrics.Read(memory); memory[0].Value.Uint64() > maxMemory {
					os.Exit(tooLarge)
				}
			}
		}
	}()
	return func() { close(done) }
}

// renderBy has the library render a conversation.
func renderBy(template *jinja.Template, c conversation) (text string, err error) {
	defer func() {
		if p := recover(); p != nil { // on which the library has no word
			err = fmt.Errorf("%v", p)
		}
	}()
	turns := make([]any, len(c.Messages))
	for i, m := range c.Messages {
		turns[i] = map[string]any{"role": m.Role, "content": m.Content}
	}
	return template.RenderValues(map[string]jinja.Value{
		"messages":              jinja.FromGoValue(turns),
		"add_generation_prompt": jinja.FromGoValue(c.Reply),
		"bos_token":             jinja.FromGoValue(c.Begin),
		"eos_token":             jinja.FromGoValue(c.End),
		"tools":                 jinja.FromGoValue(nil),
		"strftime_now":          jinja.Undefined(),
	})
}

// worker is a process that renders by one template. It starts with the first conversation, and ends with the worker or with this process.
type worker struct {
	source string

	mu      sync.Mutex
	process *exec.Cmd
	says    *bytes.Buffer // its standard error
	in      io.Closer
	ask     *gob.Encoder
	answer  *gob.Decoder
	failed  error // what it ended by: the same would come of it again
}

// errEnded is a process that ended for a reason of its own: its template is not to blame.
var errEnded = errors.New("the process that renders a file's chat template ended")

func (w *worker) render(c conversation) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, err := w.try(c)
	if errors.Is(err, errEnded) {
		r, err = w.try(c)
	}
	if err != nil {
		return "", err
	}
	if r.Error != "" {
		return "", errors.New(r.Error)
	}
	return r.Text, nil
}

// try asks the process, which it starts where there is none.
func (w *worker) try(c conversation) (r rendered, err error) {
	if w.failed != nil {
		return r, w.failed
	}
	if w.process == nil {
		if err := w.start(); err != nil {
			return r, fmt.Errorf("the process that renders a file's chat template cannot be started: %w", err)
		}
	}
	if err := errors.Join(w.ask.Encode(c), w.answer.Decode(&r)); err != nil {
		err = w.ended(err, c.Within)
		if w.process = nil; !errors.Is(err, errEnded) {
			w.failed = err
		}
		return r, err
	}
	return r, nil
}

func (w *worker) start() error {
	program, err := itself.Path()
	if err != nil {
		return err
	}
	p := exec.Command(program)
	p.Env = append(os.Environ(), workerEnv+"="+strconv.Itoa(os.Getpid()), "GOTRACEBACK=none")
	in, err := p.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return err
	}
	says := &bytes.Buffer{}
	p.Stderr = says
	if err := p.Start(); err != nil {
		return err
	}
	w.process, w.says, w.in, w.ask, w.answer = p, says, in, gob.NewEncoder(in), gob.NewDecoder(out)
	runtime.AddCleanup(w, func(p *exec.Cmd) {
		in.Close()
		go p.Wait() // for what it ended with nobody asks
	}, p)
	_ = w.ask.Encode(w.source) // a process that ended tells so when it is asked
	return nil
}

// ended says how the process ended, which it has, or does without more to do, when it no longer answers.
func (w *worker) ended(err error, within time.Duration) error {
	w.in.Close()
	var exit *exec.ExitError
	if waited := w.process.Wait(); !errors.As(waited, &exit) {
		return fmt.Errorf("the chat template cannot be rendered: %w", errors.Join(err, waited))
	}
	says := w.says.String()
	switch code := exit.ExitCode(); {
	case code == tooLong:
		return fmt.Errorf("the chat template does not end within %v", within)
	case code == tooLarge:
		return fmt.Errorf("the chat template takes more than %d MB of memory", maxMemory>>20)
	case strings.Contains(says, stackEnded), strings.Contains(says, memoryEnded):
		return errors.New("the chat template calls itself without an end, or asks for more memory than there is")
	}
	return fmt.Errorf("%w: %v: %.200s", errEnded, exit, strings.Join(strings.Fields(says), " "))
}
