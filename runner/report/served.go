package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verge/runner/event"
)

// Served is what servers did for a run, over all its sessions.
type Served struct {
	Calls  map[string]map[string]int `json:"calls"`  // by role and by what became of them
	Errors int                       `json:"errors"` // of them, those that gave no answer
	Models map[string]Loaded         `json:"models"`
}

// Loaded is what a server did with a model.
type Loaded struct {
	Loads       int      `json:"loads"`
	LoadSeconds float64  `json:"load_s"`
	Context     *int     `json:"context"`   // tokens that prompt and reply share, as the server has it; null where it was not told
	GPUShare    *float64 `json:"gpu_share"` // of its memory in the GPU, likewise
}

func served(b event.Backend) *Served {
	if len(b.Outcomes) == 0 && len(b.Models) == 0 {
		return nil
	}
	s := &Served{Calls: b.Outcomes, Errors: b.Failed, Models: map[string]Loaded{}}
	for name, m := range b.Models {
		l := Loaded{Loads: m.Loads, LoadSeconds: m.Seconds}
		if p := m.Placement; p != nil {
			share := float64(p.VRAM) / float64(max(p.Size, 1))
			l.Context, l.GPUShare = &p.Context, &share
		}
		s.Models[name] = l
	}
	return s
}

// servers writes how the servers' models were used and placed.
func servers(p *page, s Summary) {
	if s.Served == nil {
		return
	}
	var cells [][]string
	for _, m := range s.Provenance.Models {
		if m.Served == nil {
			continue
		}
		var calls []string
		counts := s.Served.Calls[m.Role]
		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			calls = append(calls, fmt.Sprintf("%d %s", counts[kind], clean(kind)))
		}
		loads, share := "-", "-"
		if l, ok := s.Served.Models[cmp.Or(m.Served.Tag, m.Name)]; ok {
			loads, share = fmt.Sprint(l.Loads), orDash(l.GPUShare)
		}
		cells = append(cells, []string{clean(m.Role), clean(m.Name), m.Served.Server, fmt.Sprint(m.Served.Context), loads, share, strings.Join(calls, ", ")})
	}
	p.grid(2, []string{"served", "model", "server", "context", "loads", "in GPU", "calls"}, cells)
}
