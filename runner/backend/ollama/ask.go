package ollama

import (
	"context"
	"fmt"
	"time"
)

// Ask makes one call. Its error is a *CallError, an *UnreachableError or a *MissingModelError, or says what is wrong with the query;
// with some, such as EmptyThinking, the answer holds what came all the same.
func (m *Model) Ask(ctx context.Context, q Query) (Answer, error) {
	r, err := m.request(q)
	if err != nil {
		return Answer{}, err
	}
	before, err := m.prepare(ctx)
	if err != nil {
		return Answer{}, err
	}
	var answer Answer
	var start time.Time
	err = m.client.safely(ctx, func() error {
		var g gathering
		start = time.Now()
		if err := m.client.stream(ctx, r.path, r.body, g.add); err != nil {
			return err
		}
		answer, err = g.answer(r.path == "/api/generate", q.Spelled != "")
		return err
	})
	m.account(ctx, start, answer.Metrics.LoadDuration)
	answer.Metrics.LoadDuration += before
	if err != nil {
		return answer, m.client.named(err, m.name)
	}
	return answer, m.checkPrompt(q, r, answer)
}

// checkPrompt compares what the server read with what it was sent.
func (m *Model) checkPrompt(q Query, r request, a Answer) error {
	read := a.Metrics.PromptEvalCount
	if read == 0 {
		return nil // some versions leave it out
	}
	switch m.estimate.judge(r.bytes, read, m.context) {
	case cut:
		return &CallError{Outcome: TruncatedPrompt, Fix: fixContext,
			Text: fmt.Sprintf("a prompt of %d bytes, by the estimate %d tokens, was read as %d of a context of %d", r.bytes, m.estimate.of(r.bytes), read, m.context)}
	case suspect:
		if m.once(SuspectPrompt) {
			m.client.notify(Notice{Kind: SuspectPrompt, Model: m.name,
				Text: fmt.Sprintf("%s read %d tokens of a prompt of %d bytes, by the estimate %d tokens, with a context of %d: it may have been cut",
					m.name, read, r.bytes, m.estimate.of(r.bytes), m.context)})
		}
	}
	if a.Outcome == Length && a.Metrics.EvalCount < q.Params.MaxTokens && read+a.Metrics.EvalCount >= m.context-1 && m.once(FullContext) {
		m.client.notify(Notice{Kind: FullContext, Model: m.name,
			Text: fmt.Sprintf("a reply of %s ended after %d of %d tokens: prompt and reply fill the context of %d", m.name, a.Metrics.EvalCount, q.Params.MaxTokens, m.context)})
	}
	return nil
}
