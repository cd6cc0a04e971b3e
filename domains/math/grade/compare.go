package grade

import "strings"

// finding is a verdict with what led to it.
type finding struct {
	verdict Verdict
	reason  string
}

func found(v Verdict, equal, different string) finding {
	switch v {
	case Equal:
		return finding{v, equal}
	case Different:
		return finding{v, different}
	}
	return finding{v, "neither shown equal nor shown different"}
}

// compare compares two readings.
func (c *comparer) compare(gold, prediction reading) finding {
	if err := c.work.spend(1024); err != nil {
		return finding{Undecided, err.Error()}
	}
	g, goldNamed := gold.(labelled)
	p, predictionNamed := prediction.(labelled)
	switch {
	case goldNamed && predictionNamed:
		return c.compareLabelled(g, p)
	case goldNamed:
		if rel, ok := prediction.(relation); ok {
			return c.compareStatements(g, rel)
		}
		return c.compare(g.of, prediction)
	case predictionNamed:
		if rel, ok := gold.(relation); ok {
			return c.compareStatements(rel, p)
		}
		if _, option := gold.(choice); option {
			return finding{Different, "the gold is " + gold.kind() + ", the prediction " + prediction.kind()}
		}
		return c.compare(gold, p.of)
	}
	if f, done := c.compareText(gold, prediction); done {
		return f
	}
	if f, done := c.compareSets(gold, prediction); done {
		return f
	}
	switch g := gold.(type) {
	case quantity:
		if p, ok := prediction.(quantity); ok {
			return c.compareQuantities(g, p)
		}
	case matrix:
		if p, ok := asMatrix(prediction); ok {
			return c.compareMatrices(g, p)
		}
	case tuple:
		if p, ok := prediction.(matrix); ok {
			if m, ok := asMatrix(g); ok {
				return c.compareMatrices(m, p)
			}
		}
	case ratio:
		if p, ok := prediction.(ratio); ok {
			return c.compareRatios(g, p)
		}
	case based:
		if p, ok := prediction.(based); ok {
			return found(verdict(g == p), "the same digits to the same base", "another numeral or base")
		}
	}
	if f, done := c.compareRelations(gold, prediction); done {
		return f
	}
	return finding{Different, "the gold is " + gold.kind() + ", the prediction " + prediction.kind()}
}

// compareLabelled compares two named values. Under different names they can still be one equation: y = 2x and x = y/2.
func (c *comparer) compareLabelled(g, p labelled) finding {
	if g.name == p.name {
		return c.compare(g.of, p.of)
	}
	gq, ok := g.of.(quantity)
	pq, ok2 := p.of.(quantity)
	if ok && ok2 && !(gq.x.constant() && pq.x.constant()) {
		return c.compareStatements(g, p)
	}
	return finding{Different, "values of " + g.name + " and of " + p.name}
}

// compareText compares texts and options with each other and with what else can be read as one.
func (c *comparer) compareText(gold, prediction reading) (finding, bool) {
	g, goldOption := gold.(choice)
	p, predictionOption := prediction.(choice)
	switch {
	case goldOption && predictionOption:
		return c.compareChoices(g, p), true
	case goldOption:
		if letterOf(prediction) == g.letter {
			return finding{Equal, "the same option"}, true
		}
		if g.says != nil {
			return c.compare(g.says, prediction), true
		}
	case predictionOption:
		if letterOf(gold) == p.letter {
			return found(verdictUnless(p.says != nil), "the same option", ""), true
		}
		if p.says != nil && c.compare(gold, p.says).verdict == Equal {
			return finding{Undecided, "the option's text agrees, its letter is unknown"}, true
		}
	}
	gt, goldText := gold.(prose)
	pt, predictionText := prediction.(prose)
	if goldText && predictionText {
		return found(verdict(gt.text == pt.text), "the same text", "another text"), true
	}
	return finding{}, false
}

func verdictUnless(doubt bool) Verdict {
	if doubt {
		return Undecided
	}
	return Equal
}

func (c *comparer) compareChoices(g, p choice) finding {
	if g.letter != p.letter {
		return finding{Different, "another option"}
	}
	if g.says != nil && p.says != nil {
		return c.compare(g.says, p.says)
	}
	return found(verdictUnless(p.says != nil), "the same option", "")
}

// letterOf returns the letter that a reading is nothing but, in lower case.
func letterOf(value reading) string {
	switch v := value.(type) {
	case quantity:
		if (v.x.op == opSymbol || v.x.op == opConstant) && len(v.x.name) == 1 && v.unit == "" && !v.percent {
			return strings.ToLower(v.x.name)
		}
	case prose:
		if len(v.text) == 1 {
			return v.text
		}
	}
	return ""
}
