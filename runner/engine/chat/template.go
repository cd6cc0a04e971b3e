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
	render   func(conversation) (string, error)
	vocab    Vocabulary
	controls *regexp.Regexp // finds control tokens; nil where there are none
	within   time.Duration  // a conversation has to be rendered
}

// maxSource is the most bytes of a template, far more than a model's has: reading it takes stack for every bracket that is open.
const maxSource = 64 << 10

// maxControls is the most bytes of a vocabulary's control tokens together: some have a thousand, of twenty bytes each.
const maxControls = 128 << 10

// Parse reads a template as tokenizer.chat_template holds it: Jinja, with blanks trimmed as Hugging Face's transformers do. A control token
// that no text can spell is an error: a vocabulary with one is damaged.
func Parse(source string, v Vocabulary) (*Template, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", len(source), maxSource)
	}
	source = separate(source)
	if _, err := jinja.Compile(source); err != nil {
		return nil, err
	}
	return newTemplate((&worker{source: source}).render, v)
}

func newTemplate(render func(conversation) (string, error), v Vocabulary) (*Template, error) {
	t := &Template{render: render, vocab: v, within: maxTime}
	var found []string
	size := 0
	for _, c := range v.Controls {
		if size += len(c); size > maxControls {
			return nil, fmt.Errorf("the vocabulary's control tokens have more than %d bytes together", maxControls)
		}
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
		var err error
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
func (t *Template) Render(messages []Message, reply bool) ([]Part, error) {
	if len(messages) == 0 {
		return nil, errors.New("a conversation needs a message")
	}
	mark := markFor(messages)
	c := conversation{Messages: make([]Message, len(messages)), Reply: reply, Begin: t.vocab.Begin, End: t.vocab.End, Within: t.within}
	for i, m := range messages {
		if m.Role != "system" && m.Role != "user" && m.Role != "assistant" {
			return nil, fmt.Errorf("message %d has role %q; a role is system, user or assistant", i, m.Role)
		}
		c.Messages[i] = Message{m.Role, t.guard(m.Content, mark)}
	}
	text, err := t.render(c)
	if err != nil {
		return nil, err
	}
	return t.split(strings.ReplaceAll(text, separator, ""), mark), nil
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
