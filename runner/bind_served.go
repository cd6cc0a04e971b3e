package runner

import (
	"verge/domains"
	"verge/profiles"
)

// openServed opens a model behind a server. One without a template for chats is spoken to in control tokens, if its vocabulary has the
// domain's.
func (b *binder) openServed(role, keys string, as profiles.Reader, think profiles.Think) (candidate, error) {
	c := candidate{name: as.Model, speaks: domains.Instruct}
	m, err := b.servers.open(b.ctx, as.Model, as.Served, think)
	if err != nil {
		return c, b.refuse(keys, as, err)
	}
	c.served, c.can = m, m.Info().Can()
	switch {
	case role == "reference": // an embedding is of any text
		c.speaks = b.dialect
		return c, nil
	case m.Info().Chats():
		return c, nil
	}
	var tokens []string
	for _, name := range controlsOf(b.p.Run.Domain) {
		tokens = append(tokens, "<|"+name+"|>")
	}
	client, err := b.servers.client(as.Host)
	if err != nil {
		return c, err
	}
	knows, err := client.Knows(b.ctx, as.Model, tokens)
	switch {
	case err != nil:
		return c, b.refuse(keys, as, err)
	case !knows:
		return c, b.p.Refuse(key(keys, "model"), "it has no template for chats, and its vocabulary lacks the control tokens of domain "+b.p.Run.Domain,
			"a model that follows instructions, such as qwen2.5:3b, or a Modelfile with its TEMPLATE")
	}
	c.speaks = domains.Compact
	return c, nil
}
