package chat

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ardanlabs/jinja"
)

// Vocabulary is what a template has to know of its model's.
type Vocabulary struct {
	Controls   []string // as they are spelled
	Begin, End string   // bos_token and eos_token of a template, empty where there is none
}

// Template renders conversations. It may be used from many goroutines.
type Template struct {
	compiled *jinja.Template
	vocab    Vocabulary
	controls *regexp.Regexp // finds control tokens; nil where there are none
	within   time.Duration  // a conversation has to be rendered
}

// Parse reads a template as tokenizer.chat_template holds it: Jinja, with blanks trimmed as Hugging Face's transformers do. A control token
// that no text can spell is an error: a vocabulary with one is damaged.
func Parse(source string, v Vocabulary) (*Template, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", len(source), maxSource)
	}
	compiled, err := jinja.Compile(separate(source))
	if err != nil {
		return nil, err
	}
	t := &Template{compiled: compiled, vocab: v, within: maxTime}
	var found []string
	for _, c := range v.Controls {
		if !utf8.ValidString(c) || strings.Contains(c, nonCharacter) || strings.Contains(c, separator) {
			return nil, fmt.Errorf("the vocabulary's control token %q has bytes that are in no text", c)
		}
		// One character cannot be broken, as guard has to; no family has such a token.
		if utf8.RuneCountInString(c) > 1 {
			found = append(found, c)
		}
	}
	if len(found) > 0 {
		// Of the tokens that begin at the same place the longest is meant.
		slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
		for i := range found {
			found[i] = regexp.QuoteMeta(found[i])
		}
		if t.controls, err = regexp.Compile(strings.Join(found, "|")); err != nil {
			return nil, fmt.Errorf("the vocabulary's %d control tokens cannot be looked for: %w", len(found), err)
		}
	}
	return t, nil
}

// separator stands between tags that follow one another directly. The library trims the nearest text before a tag that asks for it,
// even where another tag lies between. It is a character that Unicode keeps from text.
const separator = "\uFDD1"

var adjacent = regexp.MustCompile(`([}%#]})({[{%#])`)

// separate makes the library trim as Jinja does: no further than the tags beside a tag, and without the last line break.
func separate(source string) string {
	return adjacent.ReplaceAllString(strings.TrimSuffix(source, "\n"), "${1}"+separator+"${2}")
}

// Render makes the prompt for a conversation; with reply set it ends where the assistant's next message begins. What a message's
// content spells never becomes a control token. Templates that show the date show the one that they fall back on, so that a prompt
// is the same every day. A conversation that the template does not take, such as one with two messages of the user in a row, is an
// error.
func (t *Template) Render(messages []Message, reply bool) (parts []Part, err error) {
	if len(messages) == 0 {
		return nil, errors.New("a conversation needs a message")
	}
	mark := markFor(messages)
	turns := make([]any, len(messages))
	for i, m := range messages {
		if m.Role != "system" && m.Role != "user" && m.Role != "assistant" {
			return nil, fmt.Errorf("message %d has role %q; a role is system, user or assistant", i, m.Role)
		}
		turns[i] = map[string]any{"role": m.Role, "content": t.guard(m.Content, mark)}
	}
	text, err := t.execute(turns, reply)
	if err != nil {
		return nil, err
	}
	return t.split(text, mark), nil
}

// execute renders within the template's time. One that goes on for longer is left to itself: the library cannot be told to stop.
func (t *Template) execute(turns []any, reply bool) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		// A template is part of a file from elsewhere, and the library has no word on panics.
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("%v", p)
			}
			done <- r
		}()
		r.text, r.err = t.compiled.RenderValues(map[string]jinja.Value{
			"messages":              jinja.FromGoValue(turns),
			"add_generation_prompt": jinja.FromGoValue(reply),
			"bos_token":             jinja.FromGoValue(t.vocab.Begin),
			"eos_token":             jinja.FromGoValue(t.vocab.End),
			"tools":                 jinja.FromGoValue(nil),
			"strftime_now":          jinja.Undefined(),
			"range":                 numbers,
		})
	}()
	end := time.NewTimer(t.within)
	defer end.Stop()
	select {
	case r := <-done:
		return strings.ReplaceAll(r.text, separator, ""), r.err
	case <-end.C:
		return "", fmt.Errorf("the chat template does not end within %v", t.within)
	}
}

// nonCharacter is what marks are made of: a character that Unicode keeps from text.
const nonCharacter = "\uFDD0"

// markFor is a string that no message contains.
func markFor(messages []Message) string {
	mark := nonCharacter
	for slices.ContainsFunc(messages, func(m Message) bool { return strings.Contains(m.Content, mark) }) {
		mark += nonCharacter
	}
	return mark
}

// guard breaks what spells a control token in content, or the beginning of one at its end, by a mark after its first character. A
// template still sees where content begins and ends, trims it and looks for words in it; split takes the marks out again.
func (t *Template) guard(content, mark string) string {
	if t.controls == nil {
		return content
	}
	broken := func(s string) string {
		_, n := utf8.DecodeRuneInString(s)
		return s[:n] + mark + s[n:]
	}
	for t.controls.MatchString(content) {
		content = t.controls.ReplaceAllStringFunc(content, broken)
	}
	for _, c := range t.vocab.Controls {
		for n := len(c) - 1; n > 0; n-- {
			if rest, ok := strings.CutSuffix(content, c[:n]); ok && utf8.ValidString(c[:n]) {
				content = rest + broken(c[:n])
				break
			}
		}
	}
	return content
}

// split cuts rendered text at its control tokens.
func (t *Template) split(text, mark string) []Part {
	var parts []Part
	add := func(s string) {
		if s = strings.ReplaceAll(s, mark, ""); s != "" {
			parts = append(parts, Part{Text: s})
		}
	}
	if t.controls != nil {
		at := 0
		for _, m := range t.controls.FindAllStringIndex(text, -1) {
			add(text[at:m[0]])
			parts = append(parts, Part{Control: text[m[0]:m[1]]})
			at = m[1]
		}
		text = text[at:]
	}
	add(text)
	return parts
}
