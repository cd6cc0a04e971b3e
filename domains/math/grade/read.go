package grade

import (
	"fmt"
	"strings"
)

// reader turns tokens into readings. It compares where a reading depends on values, as the order of an interval's ends does.
type reader struct {
	*comparer
	deep int
}

// read reads a whole answer: one item, or a list of items.
func (r *reader) read(tokens []token) (reading, error) {
	if len(tokens) == 0 {
		return nil, fmt.Errorf("the answer is empty")
	}
	if r.deep++; r.deep > maxNesting {
		return nil, fmt.Errorf("nested more than %d deep", maxNesting)
	}
	defer func() { r.deep-- }()
	parts, cuts := splitOn(tokens, separates)
	if len(cuts) == 0 {
		return r.item(tokens)
	}
	value, err := r.list(parts, cuts)
	if err != nil {
		if text, ok := readProse(tokens); ok {
			return text, nil
		}
	}
	return value, err
}

// separates tells whether a token stands between the items of a list.
func separates(t token) bool {
	return t.is(",") || t.is(";") || t.isWord("and") || t.isWord("or") || t.is("∧") || t.is("∨")
}

// item reads one item. The tests run from the outermost sign inwards.
func (r *reader) item(tokens []token) (reading, error) {
	value, err := r.formal(tokens)
	if err == nil {
		return value, nil
	}
	if text, ok := readProse(tokens); ok {
		return text, nil
	}
	return nil, err
}

func (r *reader) formal(tokens []token) (reading, error) {
	if len(tokens) == 0 {
		return nil, fmt.Errorf("an item of a list is empty")
	}
	if option, ok := r.option(tokens); ok {
		return option, nil
	}
	if parts, ops := splitOn(tokens, relates); len(ops) > 0 {
		return r.statement(parts, ops)
	}
	if parts, ops := splitOn(tokens, combines); len(ops) > 0 {
		return r.combination(parts, ops)
	}
	if inside, open, closer, ok := enclosed(tokens); ok {
		if value, done, err := r.bracketed(inside, open, closer); done {
			return value, err
		}
	}
	if value, done, err := r.special(tokens); done {
		return value, err
	}
	if value, done, err := r.matrix(tokens); done {
		return value, err
	}
	if parts, _ := splitOn(tokens, func(t token) bool { return t.is(":") }); len(parts) > 1 {
		return readRatio(parts)
	}
	if value, done, err := readBased(tokens); done {
		return value, err
	}
	return r.amount(tokens)
}

// special reads ∅ and ℝ.
func (r *reader) special(tokens []token) (reading, bool, error) {
	if len(tokens) != 1 {
		return nil, false, nil
	}
	switch t := tokens[0]; {
	case t.is("∅"):
		return collection{braced: true}, true, nil
	case t.kind == letterToken && t.text == "mathbb R":
		return realLine(), true, nil
	}
	return nil, false, nil
}

func realLine() region {
	return region{[]interval{{low: neg(constant("∞")), high: constant("∞")}}}
}

// enclosed returns what lies in the brackets that open with the first token and close with the last.
func enclosed(tokens []token) (inside []token, open, closer string, ok bool) {
	last := len(tokens) - 1
	if last < 1 || tokens[0].kind != markToken || !openers[tokens[0].text] || tokens[last].kind != markToken || !closers[tokens[last].text] {
		return nil, "", "", false
	}
	depth := depths(tokens)
	for _, d := range depth[1:last] {
		if d < 1 {
			return nil, "", "", false
		}
	}
	return tokens[1:last], tokens[0].text, tokens[last].text, depth[last] == 0
}

// bracketed reads sets, tuples and intervals. Other brackets belong to an expression.
func (r *reader) bracketed(inside []token, open, closer string) (reading, bool, error) {
	parts, cuts := splitOn(inside, func(t token) bool { return t.is(",") || t.is(";") })
	set := open == `\{` && closer == `\}` || open == "{" && closer == "}" && len(cuts) > 0
	switch {
	case set && len(inside) == 0:
		return collection{braced: true}, true, nil
	case set:
		value, err := r.set(inside, parts)
		return value, true, err
	case open == "{" && closer == "}":
		value, err := r.read(inside)
		return value, true, err
	case len(cuts) == 0:
		if _, more := splitOn(inside, func(t token) bool { return relates(t) || combines(t) }); len(more) > 0 && open == "(" && closer == ")" {
			value, err := r.read(inside)
			return value, true, err
		}
		return nil, false, nil
	}
	t := tuple{open: open, close: closer}
	for _, part := range parts {
		value, err := r.item(part)
		if err != nil {
			return nil, true, err
		}
		t.items = append(t.items, value)
	}
	return t, true, nil
}

// set reads the inside of braces: items, or a variable and its condition.
func (r *reader) set(inside []token, parts [][]token) (reading, error) {
	halves, _ := splitOn(inside, func(t token) bool { return t.is("∣") || t.is("|") || t.is(":") })
	if len(halves) == 2 && len(halves[0]) > 0 && halves[0][0].kind == letterToken && (len(halves[0]) == 1 || halves[0][1].is("∈")) {
		value, err := r.read(halves[1])
		if err != nil {
			return nil, err
		}
		if l, ok := value.(labelled); ok && l.name == halves[0][0].text {
			return l.of, nil
		}
		return value, nil
	}
	c := collection{braced: true}
	for _, part := range parts {
		value, err := r.item(part)
		if err != nil {
			return nil, err
		}
		c.items = append(c.items, spread(value)...)
	}
	return c, nil
}

// spread returns the items of a list inside a list, such as both values of 1±2.
func spread(value reading) []reading {
	if c, ok := value.(collection); ok && !c.braced {
		return c.items
	}
	return []reading{value}
}

func isName(t token) bool { return t.kind == wordToken || t.kind == letterToken }

// readProse reads tokens as text. There has to be a word in it, and no command.
func readProse(tokens []token) (prose, bool) {
	words := false
	var b strings.Builder
	for i, t := range tokens {
		hyphen := t.is("-") && i > 0 && i+1 < len(tokens) && isName(tokens[i-1]) && isName(tokens[i+1])
		switch {
		case t.kind == commandToken:
			return prose{}, false
		case hyphen, t.kind == markToken && strings.Contains(`.,;:'"!?(){}`, t.text):
			b.WriteByte(' ')
			continue
		case t.kind == wordToken:
			words = true
		}
		if t.space {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(t.text))
	}
	return prose{strings.Join(strings.Fields(b.String()), " ")}, words
}
