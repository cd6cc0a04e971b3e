package grade

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts an answer into tokens.
type lexer struct {
	text   string
	at     int
	out    []token
	space  bool
	prose  bool // inside \text{…}
	depth  int  // of brackets in which commas separate
	nested int  // of \text{…} and the like in one another
}

// tokenize cuts an answer into tokens. Dollar signs that delimit mathematics are dropped; one before an amount is a mark.
func tokenize(text string) ([]token, error) {
	l := &lexer{text: dropDelimiters(glyphs.Replace(text))}
	if err := l.run(); err != nil {
		return nil, err
	}
	out := l.out
	for len(out) > 0 && (out[len(out)-1].is(".") || out[len(out)-1].is(";") || out[len(out)-1].is(",")) {
		out = out[:len(out)-1]
	}
	return out, nil
}

// dropDelimiters removes $…$ and $$…$$. An odd number of bare dollar signs is an amount of money.
func dropDelimiters(text string) string {
	bare := strings.Count(text, "$") - strings.Count(text, `\$`)
	if bare == 0 || bare%2 == 1 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i++
		case text[i] == '$':
			b.WriteByte(' ')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

func (l *lexer) run() error {
	if l.nested > maxNesting {
		return fmt.Errorf("text nested more than %d deep", maxNesting)
	}
	for l.at < len(l.text) {
		if err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

func (l *lexer) emit(t token) {
	t.space, t.prose = l.space, l.prose
	l.space = false
	l.out = append(l.out, t)
}

func (l *lexer) mark(text string, n int) {
	switch {
	case text == "{" && l.takesGroup():
		// The argument of a command: digits may be grouped in it as outside.
	case openers[text]:
		l.depth++
	case closers[text] && text != "}" && l.depth > 0:
		l.depth--
	}
	l.emit(token{kind: markToken, text: text})
	l.at += n
}

// takesGroup tells whether braces after the last token hold an argument rather than the elements of a set.
func (l *lexer) takesGroup() bool {
	if len(l.out) == 0 {
		return false
	}
	last := l.out[len(l.out)-1]
	return last.kind == commandToken || last.is("^") || last.is("_") || last.is("}") || last.is("]") || last.kind == functionToken
}

func (l *lexer) next() error {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case c == ' ' || c == '~':
		l.space = true
		l.at++
		return nil
	case c == '\\':
		return l.command()
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	}
	for _, pair := range [...][2]string{{"...", "…"}, {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"==", "="}, {"**", "^"}, {"=>", "⇒"}, {"->", "→"}} {
		if strings.HasPrefix(rest, pair[0]) {
			l.mark(pair[1], len(pair[0]))
			return nil
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if unicode.IsLetter(r) {
		l.letters()
		return nil
	}
	if r == utf8.RuneError || unicode.IsControl(r) {
		return fmt.Errorf("byte %#x is no text", c)
	}
	l.mark(string(r), size)
	return nil
}

func (l *lexer) number() error {
	// A subscript, an exponent and a part of a fraction are digits; elsewhere 2e is two e's unless an exponent follows.
	n, size, err := scanNumeral(l.text[l.at:], l.depth == 0)
	if err != nil {
		return err
	}
	l.emit(token{kind: numberToken, text: n.raw, num: n})
	l.at += size
	return nil
}

// letters reads a run of letters: one letter, a name, a word, or a product of letters.
func (l *lexer) letters() {
	run := l.text[l.at:]
	end := strings.IndexFunc(run, func(r rune) bool { return !unicode.IsLetter(r) })
	if end >= 0 {
		run = run[:end]
	}
	l.at += len(run)
	if l.prose || l.plainUnit(run) {
		l.emit(token{kind: wordToken, text: run})
		return
	}
	l.emitRun(run)
}

// plainUnit tells whether a run of letters outside prose is a unit: it follows an amount, and is no single letter, which would be a
// variable. Names that could as well be products need a blank before them.
func (l *lexer) plainUnit(run string) bool {
	if unitNames[run] == "" || utf8.RuneCountInString(run) == 1 || spacedUnits[run] && !l.space {
		return false
	}
	return l.afterAmount()
}

// afterAmount tells whether the last token can end an amount or a part of a unit.
func (l *lexer) afterAmount() bool {
	if len(l.out) == 0 {
		return false
	}
	last := l.out[len(l.out)-1]
	return last.kind == numberToken || last.kind == wordToken || last.is("}") || last.is(")") || last.is("°") || last.is("/")
}

// emitRun reads a run of letters outside prose.
func (l *lexer) emitRun(run string) {
	lower := strings.ToLower(run)
	switch {
	case run == "x" && l.timesTen():
		l.emit(token{kind: markToken, text: "*"})
	case utf8.RuneCountInString(run) == 1:
		l.emit(token{kind: letterToken, text: run})
	case functions[run] != "":
		l.emit(token{kind: functionToken, text: functions[run]})
	case strings.HasSuffix(run, "x") && functions[run[:len(run)-1]] != "":
		l.emit(token{kind: functionToken, text: functions[run[:len(run)-1]]})
		l.emit(token{kind: letterToken, text: "x"})
	case run == "sqrt":
		l.emit(token{kind: commandToken, text: "sqrt"})
	case greek[run]:
		l.emit(token{kind: letterToken, text: run})
	case lower == "inf" || lower == "infinity" || run == "oo":
		l.emit(token{kind: markToken, text: "∞"})
	case isWord(run):
		l.emit(token{kind: wordToken, text: run})
	default:
		for _, r := range run {
			l.emit(token{kind: letterToken, text: string(r)})
		}
	}
}

// timesTen tells whether an x that was just read stands for × in a number such as 6.02 x 10^23.
func (l *lexer) timesTen() bool {
	n := len(l.out)
	return l.space && n > 0 && l.out[n-1].kind == numberToken && strings.HasPrefix(l.text[l.at:], " 10^")
}

// command reads a control sequence.
func (l *lexer) command() error {
	rest := l.text[l.at+1:]
	if rest == "" {
		return fmt.Errorf("text ends in a backslash")
	}
	name := rest[:1]
	for n := 0; n < len(rest) && isASCIILetter(rest[n]); n++ {
		name = rest[:n+1]
	}
	if name == `\` {
		l.mark(`\\`, 2)
		return nil
	}
	if mark, ok := commandMarks[name]; ok {
		if mark == "and" {
			l.emit(token{kind: wordToken, text: "and"})
			l.at += 2
			return nil
		}
		l.mark(mark, 1+len(name))
		return nil
	}
	l.at += 1 + len(name)
	switch {
	case silentCommands[name]:
		l.space = true
		if (name == "left" || name == "right") && strings.HasPrefix(l.text[l.at:], ".") {
			l.at++
		}
		if name == "hspace" || name == "vspace" || name == "phantom" {
			l.skipGroup()
		}
	case proseCommands[name], fontCommands[name]:
		return l.inner(name)
	case accents[name]:
		return l.accent(name)
	case functions[name] != "":
		l.emit(token{kind: functionToken, text: functions[name]})
	case greek[name]:
		l.emit(token{kind: letterToken, text: name})
	case structures[name] == "begin", structures[name] == "end":
		kind, end, ok := group(l.text, l.at)
		if !ok {
			return fmt.Errorf(`\%s without the name of an environment`, name)
		}
		l.depth += 1
		if name == "end" {
			l.depth = max(0, l.depth-2)
		}
		l.emit(token{kind: commandToken, text: name})
		l.emit(token{kind: wordToken, text: kind})
		l.at = end
	case structures[name] != "":
		l.emit(token{kind: commandToken, text: structures[name]})
	default:
		l.emit(token{kind: commandToken, text: name})
	}
	return nil
}

// inner reads the argument of \text, \mathrm and the like in place. Upright letters after a number are a unit, and several of them a word.
func (l *lexer) inner(name string) error {
	inside, end, ok := group(l.text, l.at)
	if !ok {
		return fmt.Errorf("no closed group after a text command at byte %d", l.at)
	}
	inside = strings.Trim(inside, " ~")
	in := &lexer{text: inside, depth: l.depth, nested: l.nested + 1}
	letters := utf8.RuneCountInString(inside)
	if !isLetters(inside) {
		letters = 0
	}
	if proseCommands[name] {
		in.space, in.prose = true, !in.mathematical()
	} else {
		in.space = l.space
		in.prose = letters > 1 && functions[inside] == "" || letters == 1 && name != "mathbf" && unitNames[inside] != "" && l.afterAmount()
	}
	if err := in.run(); err != nil {
		return err
	}
	l.out = append(l.out, in.out...)
	l.space = in.space
	l.at = end
	return nil
}

// mathematical tells whether the content of a text command holds no word at all.
func (l *lexer) mathematical() bool {
	return strings.IndexFunc(l.text, unicode.IsLetter) < 0
}

// accent makes one variable of a command such as \angle and the letters that follow.
func (l *lexer) accent(name string) error {
	rest := strings.TrimLeft(l.text[l.at:], " ")
	inside, end, ok := group(l.text, l.at)
	if !ok {
		run := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsLetter))
		if run == 0 {
			return fmt.Errorf(`\%s at byte %d has no argument`, name, l.at)
		}
		inside, end = rest[:run], len(l.text)-len(rest)+run
	}
	l.emit(token{kind: letterToken, text: name + " " + strings.ReplaceAll(inside, " ", "")})
	l.at = end
	return nil
}

func (l *lexer) skipGroup() {
	if _, end, ok := group(l.text, l.at); ok {
		l.at = end
	}
}

// group returns what the braces at or after position at enclose, and the position after them.
func group(text string, at int) (inside string, end int, ok bool) {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	if at == len(text) || text[at] != '{' {
		return "", 0, false
	}
	closing := matchBraces(text[at:])[0]
	if closing == 0 {
		return "", 0, false
	}
	return text[at+1 : at+closing], at + closing + 1, true
}

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isLetters(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
