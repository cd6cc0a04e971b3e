package engine

import (
	"math"
	"strings"

	"github.com/viterin/vek/vek32"
)

// draw samples a slot's next token from its logits, which it overwrites, and says whether the sequence has ended.
func (d *decoder) draw(s *slot, logits []float32) bool {
	p := s.request.Params
	grow(&d.weighed, len(logits))
	copy(d.weighed, logits)
	norm := softmax(d.weighed) // now the probabilities at temperature 1
	if math.IsNaN(float64(norm)) || math.IsInf(float64(norm), 0) {
		d.broken = true
	}
	var token int32
	var sampled float32
	switch {
	case p.Temperature == 0:
		token = int32(vek32.ArgMax(logits))
	case p.Temperature == 1 && p.TopK == 0 && (p.TopP == 0 || p.TopP == 1):
		token = pick(d.weighed, 1, s.uniform())
		sampled = logits[token] - norm
	default:
		token, sampled = d.truncated(s, logits)
	}
	if p.Top > 0 {
		s.out.Top = append(s.out.Top, d.candidates(logits, norm, p.Top))
	}
	s.out.Tokens = append(s.out.Tokens, token)
	s.out.Logprob = append(s.out.Logprob, logits[token]-norm)
	s.out.Sampled = append(s.out.Sampled, sampled)
	s.last = token

	switch {
	case d.tok.Ends(token):
		s.out.Finish = FinishEnd
	case len(p.Stop) > 0 && d.stopped(s):
		s.out.Finish = FinishStop
	case s.pos+1 >= s.limit:
		s.out.Finish = FinishLength
	default:
		return false
	}
	if s.out.Finish != FinishStop {
		tokens := s.out.Tokens
		if s.out.Finish == FinishEnd {
			tokens = tokens[:len(tokens)-1]
		}
		s.out.Text = d.tok.Decode(tokens)
	}
	s.busy = false
	return true
}

// stopped says whether the text so far holds a stop string, and if so keeps the text before it.
func (d *decoder) stopped(s *slot) bool {
	s.text = append(s.text, d.tok.Decode(s.out.Tokens[len(s.out.Tokens)-1:])...)
	for _, stop := range s.request.Params.Stop {
		if i := strings.Index(string(s.text), stop); stop != "" && i >= 0 {
			s.out.Text = string(s.text[:i])
			return true
		}
	}
	return false
}

func (s *slot) uniform() float32 { return float32(s.rng.Uint64()>>40) / (1 << 24) }

// pick is the first token at which the running sum of probs passes u·total.
func pick(probs []float32, total, u float32) int32 {
	mark := u * total
	var sum float32
	last := 0
	for i, p := range probs {
		if p > 0 {
			sum += p
			last = i
			if sum > mark {
				return int32(i)
			}
		}
	}
	return int32(last)
}

// truncated samples at the request's temperature from its top-k and then top-p tokens, and returns the log-probability under that.
func (d *decoder) truncated(s *slot, logits []float32) (int32, float32) {
	p := s.request.Params
	vek32.MulNumber_Into(d.weighed, logits, float32(1/p.Temperature))
	softmax(d.weighed)
	probs, all := d.weighed, float32(1)
	if p.TopK > 0 && p.TopK < len(probs) {
		all = d.rank.keep(probs, p.TopK, float32(math.Inf(1)))
	}
	if p.TopP > 0 && p.TopP < 1 {
		d.rank.keep(probs, len(probs), float32(p.TopP)*all)
	}
	total := vek32.Sum(probs)
	token := pick(probs, total, s.uniform())
	return token, float32(math.Log(float64(probs[token] / total)))
}

// candidates are the n most likely tokens, by their logits, of which norm is the logarithm of the sum of exponentials.
func (d *decoder) candidates(logits []float32, norm float32, n int) []Candidate {
	d.rank.reset(logits)
	top := make([]Candidate, 0, min(n, len(logits)))
	for range cap(top) {
		token := d.rank.next()
		top = append(top, Candidate{Token: token, Logprob: logits[token] - norm})
	}
	return top
}
