package profiles

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Micro is the model that is embedded in the binary.
const Micro = "micro"

// MicroB is the second embedded model, of another shape and seed.
const MicroB = "micro-b"

// The backends.
const (
	EngineBackend = "engine" // in this process
	OllamaBackend = "ollama" // behind an Ollama server
)

// What a policy can train.
const (
	LoRA    = "lora"    // an adapter of the generator's weights
	Context = "context" // what the generator's prompt says
)

// arms are the variants of each recipe.
var arms = map[string][]string{
	"propel": {
		"base",            // the generator as it is
		"propel",          // rewarded by the probe
		"propel-wco",      // rewarded by the least of several probes
		"propel-coevolve", // rewarded by the least of the probe and one that is trained again on what the policy proposes
		"cold-transfer",   // another model, rewarded by the probe of the generator's family
		"best-of-n",       // the generator as it is, the best of several proposals by the probe
		"text-probe",      // rewarded by a probe that reads no activations
		"validity-only",   // rewarded for validity alone
		"sil-equal",       // solver in the loop, as many attempts as the probe's corpus cost
		"sil-long",        // solver in the loop, as many steps as propel
	},
}

// Recipes lists the recipes, sorted.
func Recipes() []string {
	names := make([]string, 0, len(arms))
	for name := range arms {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Arms lists the arms of a recipe; none of one that does not exist.
func Arms(recipe string) []string { return slices.Clone(arms[recipe]) }

// rule is what a key's value has to fulfil by itself.
type rule struct {
	allowed string // for people
	problem string // of a value that is not allowed
	holds   func(value any) bool
}

// most is the largest number of proposals or steps: far above what one machine does, and it catches a slip of the key.
const most = 1_000_000

// rules has one rule for every key.
var rules = func() map[string]rule {
	all := maps.Clone(ownRules)
	for _, role := range []string{"generator", "solver", "judge", "transfer"} {
		maps.Copy(all, bindingRules("roles."+role+"."))
	}
	maps.Copy(all, readerRules("roles.reference.", OfGenerator))
	return all
}()

// readerRules are those of a model that reads; others are names of models besides the usual ones.
func readerRules(role string, others ...string) map[string]rule {
	return map[string]rule{
		role + "backend":    oneOf(EngineBackend, OllamaBackend),
		role + "model":      model(others...),
		role + "host":       line(),
		role + "context":    between(64, most),
		role + "threads":    between(0, 1024),
		role + "keep_alive": lasting(time.Second, 720*time.Hour),
		role + "template":   oneOf("", "chatml", "llama2", "llama3"),
	}
}

// bindingRules are those of a model that is sampled.
func bindingRules(role string) map[string]rule {
	all := readerRules(role)
	maps.Copy(all, map[string]rule{
		role + "think":       thinking(),
		role + "temperature": between(0.001, 100.0),
		role + "top_p":       above(0, 1),
		role + "top_k":       between(0, most),
		role + "max_tokens":  between(1, 65536),
	})
	return all
}

// ownRules are those of the keys that no other table has.
var ownRules = map[string]rule{
	"title":       line(),
	"description": line(),

	"run.recipe": oneOf(Recipes()...),
	"run.domain": oneOf("math"),
	"run.seed":   between[uint64](0, math.MaxInt64), // TOML's integers end there
	"run.arms":   distinct("arms of the recipe"),

	"run.max_errors": between(0.0, 1),
	"run.on_hangup":  oneOf(Stop, Continue),

	"roles.solver.style": oneOf("direct", "steps"),
	"roles.oracles":      {"a list of tables with the keys of roles.judge", notAllowed, func(any) bool { return true }},

	"target.attempts": between(1, 64),
	"target.low":      rate(),
	"target.high":     rate(),

	"corpus.proposals":     between(1, most),
	"evaluation.proposals": between(1, most),

	"probe.kind":          oneOf("linear", "mlp", "attention"),
	"probe.layer":         layer(),
	"probe.pooling":       oneOf("auto", "mean", "last", "mean+last", "attention"),
	"probe.folds":         between(3, 20), // nested cross-validation holds out two at a time
	"probe.l2":            positives(),
	"probe.ensemble":      between(2, 20),
	"probe.rvp_samples":   between(2, most), // a variance needs two
	"probe.monitor_every": between(0, most),
	"probe.monitor_tasks": between(1, most),

	"coevolve.every":   between(1, most),
	"coevolve.tasks":   between(1, most),
	"best_of.n":        between(2, 1024),
	"diversity.sample": between(2, 4096),

	"policy.kind":           oneOf(LoRA, Context),
	"policy.sampler":        oneOf(EngineBackend, OllamaBackend),
	"policy.estimator":      oneOf("grpo", "drgrpo", "rloo", "reinforce++"),
	"policy.group":          between(2, 1024), // one proposal has nothing to be compared with
	"policy.proposals":      between(2, most),
	"policy.steps":          between(1, most),
	"policy.learning_rate":  above(0, 1),
	"policy.warmup_steps":   between(0, most),
	"policy.schedule":       oneOf("constant", "cosine"),
	"policy.kl":             between(0.0, 100),
	"policy.max_kl":         between(0.0, 100),
	"policy.rank":           between(1, 1024),
	"policy.alpha":          above(0, 100000),
	"policy.targets":        someOf("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"),
	"policy.clip":           above(0, 100000),
	"policy.invalid_reward": between(-1000.0, 1000),
	"policy.gamma":          above(0, 1),
	"policy.baseline":       flag(),
	"policy.exemplars":      between(0, 16),
	"policy.archive":        between(1, 4096),

	"oracle.answers": between(1, 16),

	"ollama.concurrency": between(1, 256),
	"ollama.connect":     lasting(time.Second, time.Hour),
	"ollama.load":        lasting(time.Second, 24*time.Hour),
	"ollama.idle":        lasting(time.Second, 24*time.Hour),
	"ollama.total":       lasting(time.Second, 24*time.Hour),
	"ollama.outage":      lasting(0, 24*time.Hour),
	"ollama.give_up":     between(0, most),
	"ollama.unload":      flag(),
	"ollama.allow_cloud": flag(),

	"sweep.seeds": seeds(),
}

const (
	notAllowed = "not allowed"
	outOfRange = "out of range"
)

func oneOf(names ...string) rule {
	return rule{quoted(names), notAllowed, func(v any) bool { return slices.Contains(names, v.(string)) }}
}

// distinct allows a list of names that is not empty and repeats none; what they may be is settled elsewhere.
func distinct(what string) rule {
	return rule{what + ", at least one, each once", notAllowed, func(v any) bool { return set(v.([]string)) }}
}

func someOf(names ...string) rule {
	r := distinct(quoted(names))
	r.holds = func(v any) bool {
		return set(v.([]string)) && !slices.ContainsFunc(v.([]string), func(s string) bool { return !slices.Contains(names, s) })
	}
	return r
}

func between[T int | uint64 | float64](low, high T) rule {
	return rule{fmt.Sprintf("%v to %v", plain(low), plain(high)), outOfRange, func(v any) bool { return low <= v.(T) && v.(T) <= high }}
}

func above(low, high float64) rule {
	return rule{fmt.Sprintf("above %v, at most %v", plain(low), plain(high)), outOfRange, func(v any) bool { return low < v.(float64) && v.(float64) <= high }}
}

func positives() rule {
	return rule{"numbers above 0, each once", outOfRange, func(v any) bool {
		return (len(v.([]float64)) == 0 || set(v.([]float64))) && !slices.ContainsFunc(v.([]float64), func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) })
	}}
}

// rate allows what can be read as a Rate at all: reading refuses what is outside [0, 1].
func rate() rule {
	return rule{`0 to 1, as a number or as a fraction such as "1/8"`, outOfRange, func(any) bool { return true }}
}

func layer() rule {
	return rule{`"auto", "all", or 0 (embeddings) and up (after that block)`, outOfRange, func(v any) bool { return v.(Layer) >= AllLayers }}
}

func flag() rule {
	return rule{"true, false", notAllowed, func(any) bool { return true }}
}

func line() rule {
	return rule{"text of one line", notAllowed, func(v any) bool { return !strings.ContainsAny(v.(string), "\n\r") }}
}

// model allows what some backend may know; relations hold it to the backend. others are names besides.
func model(others ...string) rule {
	const allowed = `of backend "engine" "micro", "micro-b", the path of a .gguf file, or "ollama:TAG" for the file behind a local server's model; of backend "ollama" a server's TAG`
	names := ""
	if len(others) > 0 {
		names = quoted(others) + "; "
	}
	return rule{names + allowed, notAllowed, func(v any) bool { return v != "" && !strings.ContainsAny(v.(string), "\n\r") }}
}

// set says whether a list has members and none twice.
func set[T comparable](list []T) bool {
	seen := make(map[T]bool, len(list))
	for _, x := range list {
		seen[x] = true
	}
	return len(list) > 0 && len(seen) == len(list)
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return strings.Join(q, ", ")
}

// plain writes a float64 without an exponent.
func plain(v any) any {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return v
}
