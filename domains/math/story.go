package math

import "regexp"

// openQuestion matches requests for words: an exact integer cannot be compared with their answers.
var openQuestion = regexp.MustCompile(`^(why|prove|explain|describe|draw) `)

// story is a question in words about one operation, such as `Ann has 12. She gets 7 more. How many?`.
type story struct {
	op   byte
	a, b int64
}

// storyPattern: person, verb, quantity, how it is divided up, quantity; then who, what happens, quantity, "more"; then the question.
var storyPattern = regexp.MustCompile(`^([A-Z][a-z]+) (has|shares) (some|[0-9]+)(?: (bags of|among) (some|[0-9]+))?\.` +
	`(?: ([A-Z][a-z]+) (gets|loses) (some|[0-9]+)( more)?\.)?(?: (How many|How many each|Why)\?)?$`)

// storyShape is what distinguishes the four stories.
type storyShape struct{ verb, division, event, more, question string }

var storyShapes = map[storyShape]byte{
	{"has", "", "gets", " more", "How many"}:     '+',
	{"has", "", "loses", "", "How many"}:         '-',
	{"has", "bags of", "", "", "How many"}:       '*',
	{"shares", "among", "", "", "How many each"}: '/',
}

// pronouns maps the people of stories to the word that can stand for each.
var pronouns = map[string]string{"Ann": "She", "Kim": "She", "Ben": "He", "Sam": "He"}

func readStory(s string) (question, *fault) {
	m := storyPattern.FindStringSubmatch(s)
	if m == nil {
		return nil, faultf(Malformed, "%q is none of the stories known", s)
	}
	person, who, question := m[1], m[6], m[10]
	shape := storyShape{verb: m[2], division: m[4], event: m[7], more: m[9], question: question}
	pronoun, known := pronouns[person]
	op, complete := storyShapes[shape]
	switch {
	case !known:
		return nil, faultf(Malformed, "%q is about somebody unknown; it can be about Ann, Kim, Ben or Sam", s)
	case question == "Why":
		return nil, faultf(NotGradable, "%q asks for words, not for a number", s)
	case question == "":
		return nil, faultf(MissingInformation, "%q asks for nothing", s)
	case shape == storyShape{verb: "has", question: "How many"}:
		return nil, faultf(MissingInformation, "%q does not say what happens", s)
	case !complete:
		return nil, faultf(Malformed, "%q is none of the stories known", s)
	case who != "" && who != pronoun && who != person:
		return nil, faultf(Ambiguous, "%q does not say whether it asks about %s", s, person)
	}
	var values []int64
	for _, text := range []string{m[3], m[5], m[8]} {
		switch text {
		case "":
		case "some":
			return nil, faultf(MissingInformation, "%q does not say how many", s)
		default:
			v, f := canonical(text)
			if f != nil {
				return nil, f
			}
			values = append(values, v)
		}
	}
	if op == '-' && values[1] > values[0] {
		return nil, faultf(Contradiction, "%q: %s cannot lose %d of %d", s, person, values[1], values[0])
	}
	return story{op, values[0], values[1]}, nil
}

// canonical reads a number that stands alone.
func canonical(text string) (int64, *fault) {
	r := scanner{text: text, maxDigits: MaxDigits}
	v, f := r.number()
	if f == nil && r.at != len(text) {
		f = r.expected("the end of the number")
	}
	return v, f
}

func (q story) kind() string {
	return map[byte]string{'+': StorySum, '-': StoryDifference, '*': StoryProduct, '/': StoryQuotient}[q.op]
}

func (q story) operations() int { return 1 }

func (q story) answer() (int64, *fault) { return apply(q.op, q.a, q.b, MaxValue) }

func (q story) work() []string { return workOperation(q.op, q.a, q.b) }

func (q story) hints() []string {
	return []string{map[byte]string{'+': "add", '-': "take away", '*': "multiply", '/': "divide"}[q.op]}
}
