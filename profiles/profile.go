// Package profiles holds the TOML profiles that ship, their schema and their loader.
//
// A profile is all that is asked of a run. Its schema is the struct [Profile]: the toml tags are the keys, and every key has
// a default in [Default], a rule in rules.go and a paragraph in reference.toml. A table is added by a struct and by those three.
package profiles

// Profile is what a run is asked to do.
type Profile struct {
	// Name is how the profile was named: that of an embedded profile, or of a file without .toml. It is no key.
	Name string `toml:"-"`

	Title       string `toml:"title"`       // for people, one line
	Description string `toml:"description"` // what the profile is for, one line

	Run        Run        `toml:"run"`
	Roles      Roles      `toml:"roles"`
	Target     Target     `toml:"target"`
	Corpus     Corpus     `toml:"corpus"`
	Evaluation Evaluation `toml:"evaluation"`
	Probe      Probe      `toml:"probe"`
	Coevolve   Coevolve   `toml:"coevolve"`
	BestOf     BestOf     `toml:"best_of"`
	Diversity  Diversity  `toml:"diversity"`
	Policy     Policy     `toml:"policy"`
	Oracle     Oracle     `toml:"oracle"`
	Ollama     Ollama     `toml:"ollama"`

	Sweep Sweep `toml:"-"` // its keys are added by fields

	origins map[string]origin // of the keys that some layer set
	layers  [][]entry         // as they were laid over Default
}

// Run says which experiment is made.
type Run struct {
	Recipe string   `toml:"recipe"` // one of Recipes
	Domain string   `toml:"domain"`
	Seed   uint64   `toml:"seed"`
	Arms   []string `toml:"arms"` // variants to compare, of Arms(Recipe), in the order they are shown

	MaxErrors float64 `toml:"max_errors"` // share of replies that could not be had at which the run ends
	OnHangup  string  `toml:"on_hangup"`  // what a run does whose terminal is lost: Stop or Continue
}

// Roles binds the roles of a recipe to models.
type Roles struct {
	Oracles   Oracles `toml:"oracles"`   // answer in the judge's place, and have to agree
	Generator Binding `toml:"generator"` // proposes tasks, and is what a policy trains
	Solver    Solver  `toml:"solver"`    // attempts tasks, and is never trained by PROPEL
	Judge     Binding `toml:"judge"`     // answers tasks whose answer cannot be computed, where there are no oracles
	Reference Reader  `toml:"reference"` // the frozen model whose activations a probe reads
	Transfer  Binding `toml:"transfer"`  // the generator of another family, which arm cold-transfer trains
}

// Binding is a model behind a backend and how it is sampled.
type Binding struct {
	Backend string `toml:"backend"`
	Model   string `toml:"model"` // "micro", the embedded one, the path of a GGUF file, "ollama:TAG", or a server's tag
	Served
	Think       Think   `toml:"think"`       // whether a model that can think before it replies does
	Template    string  `toml:"template"`    // of chats, by name, for a file that has none; "": the file's
	Temperature float64 `toml:"temperature"` // divides the logits
	TopP        float64 `toml:"top_p"`       // probability mass that is sampled from; 1: all
	TopK        int     `toml:"top_k"`       // tokens that are sampled from; 0: all
	MaxTokens   int     `toml:"max_tokens"`  // longest reply, in tokens
}

// Served is what a model behind a server needs besides its name.
type Served struct {
	Host      string   `toml:"host"`       // "": OLLAMA_HOST, or the default
	Context   int      `toml:"context"`    // tokens that prompt and reply share
	Threads   int      `toml:"threads"`    // of the server's processor; 0: the server's choice
	KeepAlive Duration `toml:"keep_alive"` // how long the server keeps the model after a call
}

// Reader is a model behind a backend that reads and is not sampled.
type Reader struct {
	Backend string `toml:"backend"`
	Model   string `toml:"model"` // OfGenerator, or as in Binding
	Served
	Template string `toml:"template"` // as in Binding
}

// OfGenerator is the reference's model where it is the generator itself, frozen: its backend is then the generator's too.
const OfGenerator = "generator"

// Reads is what the reference is bound to.
func (r Roles) Reads() Reader {
	if r.Reference.Model == OfGenerator {
		return Reader{r.Generator.Backend, r.Generator.Model, r.Generator.Served, r.Generator.Template}
	}
	return r.Reference
}

// Solver is the solver's binding.
type Solver struct {
	Binding
	Style string `toml:"style"` // "direct": the answer alone; "steps": a worked solution
}

// Target is the wanted difficulty: the utility of PROPEL (arXiv 2606.18284), which is 1 for a task of which
// Low ≤ right/Attempts ≤ High, and 0 otherwise.
type Target struct {
	Attempts int  `toml:"attempts"` // K, attempts of the solver at a task
	Low      Rate `toml:"low"`      // solve rates, both inside the band
	High     Rate `toml:"high"`
}

// Corpus is what is collected once from the frozen generator and labelled by attempts, to train a probe (PROPEL, steps 1 and 2).
type Corpus struct {
	Proposals int `toml:"proposals"`
}

// Evaluation is what every arm is measured on: fresh proposals, each valid one attempted.
type Evaluation struct {
	Proposals int `toml:"proposals"` // of each arm
}

// Probe predicts "in band" from activations of the frozen generator that reads a task (PROPEL, step 2).
type Probe struct {
	Kind       string    `toml:"kind"`
	Layer      Layer     `toml:"layer"`       // of the reference model
	Pooling    string    `toml:"pooling"`     // over the tokens of a task
	Folds      int       `toml:"folds"`       // of cross-validation; near-duplicates share one
	L2         []float64 `toml:"l2"`          // weights of ‖w‖², of which cross-validation takes the best; none: those that suit the kind
	Ensemble   int       `toml:"ensemble"`    // probes of arm propel-wco, which differ by fold, layer and seed
	RVPSamples int       `toml:"rvp_samples"` // proposals of the base policy that RVP, the variance of the reward, is taken over
	// How well the probe ranks what a policy proposes is measured by attempts, which are billed; nothing is chosen by it.
	MonitorEvery int `toml:"monitor_every"` // updates between two measurements; 0: none
	MonitorTasks int `toml:"monitor_tasks"` // different valid tasks of the update's batch that are attempted for each
}

// Coevolve is how arm propel-coevolve trains its probe again: on the corpus and on tasks of the policy that attempts have labelled.
type Coevolve struct {
	Every int `toml:"every"` // updates between two trainings of the probe
	Tasks int `toml:"tasks"` // highest-scored tasks of an update that are labelled for each
}

// BestOf is how arm best-of-n chooses.
type BestOf struct {
	N int `toml:"n"` // proposals of which the highest-scored one is kept
}

// Diversity is how the variety of proposals is measured.
type Diversity struct {
	Sample int `toml:"sample"` // statements that are compared with each other; arms are compared at equal numbers
}

// Policy is what is optimised and how (PROPEL, step 3).
type Policy struct {
	Kind          string   `toml:"kind"`
	Sampler       string   `toml:"sampler"`   // what a generator of EngineBackend is sampled by: that, or OllamaBackend, a server that is sent what was trained
	Estimator     string   `toml:"estimator"` // "grpo" (arXiv 2402.03300), "drgrpo" (2503.20783), "rloo" (2402.14740), "reinforce++" (2501.03262)
	Group         int      `toml:"group"`     // proposals whose rewards are compared
	Proposals     int      `toml:"proposals"` // of one step, a multiple of Group
	Steps         int      `toml:"steps"`     // updates
	LearningRate  float64  `toml:"learning_rate"`
	WarmupSteps   int      `toml:"warmup_steps"` // in which the learning rate rises linearly
	Schedule      string   `toml:"schedule"`     // of the learning rate after the warm-up
	KL            float64  `toml:"kl"`           // β, the weight of the KL to the frozen base
	MaxKL         float64  `toml:"max_kl"`       // nats a token from the frozen base at which training stops; 0: never
	Rank          int      `toml:"rank"`         // r of LoRA (arXiv 2106.09685)
	Alpha         float64  `toml:"alpha"`        // the adapter is scaled by Alpha/Rank
	Targets       []string `toml:"targets"`      // matrices of every block that get an adapter, by their GGUF names
	Clip          float64  `toml:"clip"`         // largest norm of the gradient
	InvalidReward float64  `toml:"invalid_reward"`
	Gamma         float64  `toml:"gamma"`     // discount a token, of REINFORCE++ alone
	Baseline      bool     `toml:"baseline"`  // REINFORCE++ subtracts the group's mean reward first
	Exemplars     int      `toml:"exemplars"` // tasks in band that a prompt of a context policy shows where it shows any; 0: none does
	Archive       int      `toml:"archive"`   // tasks of the corpus that they are drawn from
}

// Oracle is how answers are had of models (PROPEL: two models, two answers each, and all four agree).
type Oracle struct {
	Answers int `toml:"answers"` // of each model
}

// Ollama is how Ollama servers are used, all of a run's alike.
type Ollama struct {
	Concurrency int      `toml:"concurrency"` // calls at a time
	Connect     Duration `toml:"connect"`     // limits of a call: to connect,
	Load        Duration `toml:"load"`        // until its answer begins,
	Idle        Duration `toml:"idle"`        // between two pieces of it,
	Total       Duration `toml:"total"`       // and in all
	Outage      Duration `toml:"outage"`      // how long a run waits for a server that went away; 0: it ends at once
	GiveUp      int      `toml:"give_up"`     // calls in a row without an answer after which a run ends; 0: never
	Unload      bool     `toml:"unload"`      // whether the server frees the models' memory at the end
	AllowCloud  bool     `toml:"allow_cloud"` // whether models may run on others' machines
}

// What a run does whose terminal is lost.
const (
	Stop     = "stop"
	Continue = "continue"
)
