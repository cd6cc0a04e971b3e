package grade

import (
	"errors"
	"fmt"
	"strings"
)

// Judge compares a prediction with a gold answer, both in LaTeX, in plain text, or in a mixture. Where one of them holds \boxed{…}, the
// last complete box is meant.
func Judge(gold, prediction string) Result {
	g, err := open(gold)
	if err != nil && !errors.Is(err, errNoAnswer) && strings.TrimSpace(gold) == strings.TrimSpace(prediction) {
		return Result{Verdict: Equal, Reason: "written alike"}
	}
	if err != nil {
		return Result{Verdict: Undecided, Reason: "gold: " + err.Error()}
	}
	p, err := open(prediction)
	if err != nil {
		return unreadable(err)
	}
	if sameTokens(g, p) {
		return Result{Verdict: Equal, Reason: "written alike"}
	}
	if hasEllipsis(g) {
		return Result{Verdict: Undecided, Reason: "gold: an ellipsis leaves open what is meant"}
	}
	c := newComparer()
	goldReading, err := c.reading(g)
	if err != nil {
		return Result{Verdict: Undecided, Reason: "gold: " + err.Error()}
	}
	if hasEllipsis(p) {
		return c.judgeEllipsis(goldReading, p)
	}
	predictionReading, err := c.reading(p)
	if err != nil {
		return unreadable(err)
	}
	if f, done := compareWords(goldReading, predictionReading, g, p); done {
		return f
	}
	f := c.compare(goldReading, predictionReading)
	return Result{Verdict: f.verdict, Reason: f.reason, Unreadable: c.beyond && f.verdict == Different}
}

func unreadable(err error) Result {
	return Result{Verdict: Different, Reason: "prediction: " + err.Error(), Unreadable: true}
}

var errNoAnswer = errors.New("no answer")

// open finds an answer in a text and cuts it into tokens.
func open(text string) ([]token, error) {
	if strings.Contains(text, boxMark) {
		inside, ok := Answer(text)
		if !ok {
			return nil, fmt.Errorf("%w: no box is complete", errNoAnswer)
		}
		text = inside
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("longer than %d bytes", maxText)
	}
	tokens, err := tokenize(text)
	if err == nil && len(tokens) == 0 {
		err = fmt.Errorf("%w: nothing is written", errNoAnswer)
	}
	return tokens, err
}

func (c *comparer) reading(tokens []token) (reading, error) {
	return (&reader{comparer: c}).read(tokens)
}

// compareWords compares a text with what may be the same word read as something else: \text{SSE} and SSE. A text instead of mathematics
// counts as unreadable.
func compareWords(gold, prediction reading, g, p []token) (Result, bool) {
	_, goldText := gold.(prose)
	_, predictionText := prediction.(prose)
	if goldText == predictionText {
		return Result{}, false
	}
	a, _ := readProse(g)
	b, _ := readProse(p)
	switch {
	case a.text == b.text && a.text != "":
		return Result{Verdict: Equal, Reason: "the same text"}, true
	case goldText:
		return Result{}, false
	case letterOf(prediction) != "":
		return Result{}, false
	}
	return Result{Verdict: Different, Reason: "prediction: a text, where the gold is " + gold.kind(), Unreadable: true}, true
}

func hasEllipsis(tokens []token) bool {
	for _, t := range tokens {
		if t.is("…") {
			return true
		}
	}
	return false
}

// judgeEllipsis judges a prediction with an ellipsis where the gold has none. What is written out has to agree with the gold; then it is
// undecided, since the rest is left open.
func (c *comparer) judgeEllipsis(gold reading, tokens []token) Result {
	if l, ok := gold.(labelled); ok {
		gold = l.of
	}
	if n := len(tokens); n > 1 && tokens[n-1].is("…") && tokens[n-2].kind == numberToken {
		q, ok := gold.(quantity)
		written, err := parseExpr(tokens[:n-1])
		if ok && err == nil && q.x.constant() && c.continues(q.x, written) {
			return Result{Verdict: Undecided, Reason: "the prediction breaks off"}
		}
	}
	parts, _ := splitOn(tokens, func(t token) bool { return separates(t) || t.is("…") })
	all, ok := gold.(collection)
	known := 0
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		item, err := c.reading(part)
		if err != nil {
			return unreadable(err)
		}
		known++
		if !ok || !c.contains(all, item) {
			return Result{Verdict: Different, Reason: "an ellipsis among items that the gold does not have"}
		}
	}
	if known == 0 {
		return unreadable(fmt.Errorf("nothing but an ellipsis"))
	}
	return Result{Verdict: Undecided, Reason: "the prediction leaves items out"}
}

// continues tells whether a constant's decimals begin with those of a written decimal.
func (c *comparer) continues(gold, written *expr) bool {
	n, sign := written.decimal()
	if n == nil || !n.point {
		return false
	}
	end := number(n.ulp)
	if sign < 0 {
		end = neg(end)
	}
	from, err := c.order(written, gold)
	to, err2 := c.order(gold, node(opAdd, written, end))
	return err == nil && err2 == nil && from*sign <= 0 && to*sign <= 0
}

func (c *comparer) contains(all collection, item reading) bool {
	for _, have := range all.items {
		if c.compare(have, item).verdict == Equal {
			return true
		}
	}
	return false
}
