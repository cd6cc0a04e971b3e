package ollama

import (
	"context"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"
)

// Placement is where a server keeps a loaded model.
type Placement struct {
	Context int   `json:"context"`   // tokens that prompt and reply share, as the server has it
	Size    int64 `json:"size"`      // bytes in memory
	VRAM    int64 `json:"size_vram"` // of them in the GPU's
}

// Share is the part of the model that is in the GPU's memory, 0 … 1.
func (p Placement) Share() float64 { return float64(p.VRAM) / float64(max(p.Size, 1)) }

// Placement asks where the model is; false where it is not loaded.
func (m *Model) Placement(ctx context.Context) (Placement, bool, error) {
	r, there, err := m.client.loaded(ctx, m.name)
	return Placement{Context: r.ContextLength, Size: r.Size, VRAM: r.SizeVRAM}, there, err
}

// loaded finds a model among those that are loaded.
func (c *Client) loaded(ctx context.Context, name string) (api.ProcessModelResponse, bool, error) {
	running, err := c.Running(ctx)
	if err != nil {
		return api.ProcessModelResponse{}, false, err
	}
	for _, r := range running {
		if strings.EqualFold(fullName(r.Name), fullName(name)) {
			return r, true, nil
		}
	}
	return api.ProcessModelResponse{}, false, nil
}

// Free has the server free the memory of a model that it has loaded. One that it has not is left alone: another that stands on the same file
// would be freed in its place.
func (c *Client) Free(ctx context.Context, name string) error {
	if _, there, err := c.loaded(ctx, name); err != nil || !there {
		return err
	}
	request := api.GenerateRequest{Model: name, KeepAlive: &api.Duration{}}
	return c.stream(ctx, "/api/generate", request, func(line []byte) error { return new(gathering).add(line) })
}

// place tells where a loaded model is. That it cannot be found out is no reason to fail a call.
func (m *Model) place(ctx context.Context) {
	p, ok, err := m.Placement(ctx)
	if err != nil || !ok {
		return
	}
	m.once(Placed)
	m.client.notify(Notice{Kind: Placed, Model: m.name, Placement: p, Share: p.Share(),
		Text: fmt.Sprintf("%.0f %% of %s is in the GPU's memory, with a context of %d tokens", 100*p.Share(), m.name, p.Context)})
	if p.Context > 0 && p.Context < m.context {
		m.client.notify(Notice{Kind: ShortContext, Model: m.name, Placement: p,
			Text: fmt.Sprintf("%s has a context of %d tokens on the server, not the %d asked for", m.name, p.Context, m.context)})
	}
}

// placeOnce tells where a model is that has answered, whoever loaded it, if that was not told yet.
func (m *Model) placeOnce(ctx context.Context) {
	if m.once(Placed) {
		m.place(ctx)
	}
}

// Use is what is known of a model and how it is used: replies of another server, file or context may differ at the same seed.
type Use struct {
	Info
	NumCtx  int // asked for
	Threads int
	Think   Think
}

// Use tells how the model is used.
func (m *Model) Use() Use {
	return Use{Info: m.info, NumCtx: m.context, Threads: m.threads, Think: m.think}
}
