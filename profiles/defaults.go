package profiles

import "time"

// Default is the profile with nothing set: the numbers of PROPEL on mathematics (arXiv 2606.18284: K, band, KL, steps, reward of an
// invalid task, samples of RVP) and, where the paper gives none, Verge's.
func Default() *Profile {
	micro := binding(Micro)
	return &Profile{
		Run: Run{Recipe: "propel", Domain: "math", Seed: 1, Arms: []string{"base", "propel"}, MaxErrors: 0.2, OnHangup: Stop},
		Roles: Roles{
			Generator: micro, Solver: Solver{Binding: micro, Style: "direct"}, Judge: micro, Oracles: Oracles{},
			Reference: Reader{Backend: EngineBackend, Model: OfGenerator, Served: micro.Served}, Transfer: binding(MicroB),
		},
		Target:     Target{Attempts: 8, Low: Rate{1, 8}, High: Rate{3, 8}},
		Corpus:     Corpus{Proposals: 4096},
		Evaluation: Evaluation{Proposals: 2000},
		Probe: Probe{
			Kind: "linear", Layer: AutoLayer, Pooling: "auto",
			Folds: 5, L2: []float64{}, Ensemble: 2, RVPSamples: 512, MonitorTasks: 16,
		},
		Coevolve:  Coevolve{Every: 5, Tasks: 32},
		BestOf:    BestOf{N: 8},
		Diversity: Diversity{Sample: 512},
		Policy: Policy{
			Kind: "lora", Sampler: EngineBackend, Estimator: "grpo", Group: 8, Proposals: 64, Steps: 30,
			LearningRate: 0.001, WarmupSteps: 3, Schedule: "constant", KL: 0.1, MaxKL: 0,
			Rank: 8, Alpha: 16, Targets: []string{"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"},
			Clip: 1, InvalidReward: -0.2, Gamma: 1, Exemplars: 2, Archive: 64,
		},
		Oracle: Oracle{Answers: 2},
		Ollama: Ollama{
			Concurrency: 4, Connect: Duration(10 * time.Second), Load: Duration(10 * time.Minute), Idle: Duration(2 * time.Minute), Total: Duration(30 * time.Minute),
			Outage: Duration(10 * time.Minute), GiveUp: 20,
		},
		Sweep: Sweep{Seeds: Seeds{Count: 1}},
	}
}

// binding is a model of the engine with nothing else set.
func binding(model string) Binding {
	return Binding{
		Backend: EngineBackend, Model: model, Served: Served{Context: 2048, KeepAlive: Duration(30 * time.Minute)},
		Temperature: 1, TopP: 1, MaxTokens: 64,
	}
}
