package event

// ContextUpdated is what a context policy asks for after an update: of each factor of its cues how likely each option is, whatever the others.
type ContextUpdated struct {
	Arm     string          `json:"arm"`
	Step    int             `json:"step"` // updates made
	Factors []FactorLearned `json:"factors"`
}

// FactorLearned is a factor and how likely each of its options is.
type FactorLearned struct {
	Name          string    `json:"name"`
	Options       []string  `json:"options"` // "" says nothing of the factor
	Probabilities []float64 `json:"probabilities"`
}
