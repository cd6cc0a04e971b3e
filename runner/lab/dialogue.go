package lab

import (
	"errors"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/event"
)

// dialogue is an episode under way.
type dialogue struct {
	next    func(domains.Episode) (prompt.Prompt, bool)
	seed    func(turn int) uint64
	episode domains.Episode
	turns   []backend.Turn
	err     error

	ended  bool          // there is nothing more to sample, or there never was: it was recalled whole
	prompt prompt.Prompt // of the next turn, unless it has ended
}

// add takes the reply to the present turn.
func (d *dialogue) add(r backend.Reply) {
	d.turns = append(d.turns, backend.Turn{Prompt: d.prompt, Reply: r})
	d.episode.Turns = append(d.episode.Turns, domains.Turn{Prompt: d.prompt, Reply: r.Text, Cut: r.Stop == backend.StopLength})
	d.err = r.Err
	d.advance()
}

// advance prepares the next turn, or ends the dialogue.
func (d *dialogue) advance() {
	more := false
	if d.err == nil {
		d.prompt, more = d.next(d.episode)
	}
	d.ended = !more
}

// recall takes over a proposal that a resumed run has already.
func (d *dialogue) recall(p event.TaskProposed) {
	d.ended, d.episode = true, p.Episode
	for i, s := range p.Sampled {
		t := p.Episode.Turns[i]
		d.turns = append(d.turns, backend.Turn{Prompt: t.Prompt,
			Reply: backend.Reply{Text: t.Reply, Tokens: s.Tokens, Logprobs: s.Logprobs, Count: s.Count, Stop: backend.Stop(s.Stop)}})
	}
	if p.Error != "" {
		d.err = errors.New(p.Error)
	}
}

// tokens is how many were generated.
func (d *dialogue) tokens() int { return generated(d.turns) }

func generated(turns []backend.Turn) int {
	n := 0
	for _, t := range turns {
		n += t.Reply.Generated()
	}
	return n
}
