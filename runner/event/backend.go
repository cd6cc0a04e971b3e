package event

import "maps"

// BackendNoticed is something that happened at a server beside the replies: it loaded a model, placed it, went away and came back, or what
// became of a batch of calls. Other than all other events it is no part of what a run is: a resumed run does not come by the same ones, and
// no figure rests on them.
type BackendNoticed struct {
	Kind      string         `json:"kind"`            // in the backend's words
	Model     string         `json:"model,omitempty"` // "": the server itself
	Role      string         `json:"role,omitempty"`  // that the model plays, of outcomes
	Text      string         `json:"text"`            // for a person
	Seconds   float64        `json:"seconds,omitempty"`
	Placement *Placement     `json:"placement,omitempty"`
	Outcomes  map[string]int `json:"outcomes,omitempty"` // calls by what became of them
	Failed    int            `json:"failed,omitempty"`   // of them, those that gave no answer
	// Warns says that whoever reads the run's figures has to know of it.
	Warns bool `json:"warns,omitempty"`
	// Away is +1 when a server went away, −1 when it is back.
	Away int `json:"away,omitempty"`
	// Loads is 1 where the server loaded the model.
	Loads int `json:"loads,omitempty"`
}

// Placement is where a server keeps a model.
type Placement struct {
	Context int   `json:"context"`   // tokens that prompt and reply share
	Size    int64 `json:"size"`      // bytes in memory
	VRAM    int64 `json:"size_vram"` // of them in the GPU's
}

// Backend is what is known of the servers that serve a run's models.
type Backend struct {
	Away     string                    // what the last notice says of a server that is away; "": none is
	Models   map[string]ServedModel    // by name
	Outcomes map[string]map[string]int // of calls, by role and kind
	Failed   int                       // calls that gave no answer
}

// ServedModel is what a server did with a model.
type ServedModel struct {
	Loads     int
	Seconds   float64    // that its loads took
	Placement *Placement // the last that is known
}

// clone copies what later notices change.
func (b Backend) clone() Backend {
	b.Models = maps.Clone(b.Models)
	outcomes := make(map[string]map[string]int, len(b.Outcomes))
	for role, counts := range b.Outcomes {
		outcomes[role] = maps.Clone(counts)
	}
	b.Outcomes = outcomes
	return b
}

func (s *State) noticed(e BackendNoticed) {
	b := &s.Backend
	switch {
	case e.Away > 0:
		b.Away = e.Text
	case e.Away < 0:
		b.Away = ""
	}
	if e.Loads > 0 || e.Placement != nil {
		if b.Models == nil {
			b.Models = map[string]ServedModel{}
		}
		m := b.Models[e.Model]
		m.Loads += e.Loads
		if e.Loads > 0 {
			m.Seconds += e.Seconds
		}
		if e.Placement != nil {
			m.Placement = e.Placement
		}
		b.Models[e.Model] = m
	}
	b.Failed += e.Failed
	for kind, n := range e.Outcomes {
		if b.Outcomes == nil {
			b.Outcomes = map[string]map[string]int{}
		}
		if b.Outcomes[e.Role] == nil {
			b.Outcomes[e.Role] = map[string]int{}
		}
		b.Outcomes[e.Role][kind] += n
	}
	if e.Warns {
		s.Warnings = append(s.Warnings, Warned{Code: e.Kind, Text: e.Text})
	}
}
