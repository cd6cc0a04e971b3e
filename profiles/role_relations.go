package profiles

import (
	"fmt"
	"slices"
	"strings"
)

// roleRelations hold every role's model to what its backend can have.
func roleRelations(r *Roles) []relation {
	var rs []relation
	for _, b := range r.bindings() {
		at := func(key string) string { return roleKey(b.role, key) }
		if problem, fix := misnamed(b.Backend, b.Model); problem != "" {
			if at("model") == at("backend") {
				problem = fmt.Sprintf("%s, %q: %s", b.role, b.Model, problem)
			}
			rs = append(rs, relation{[]string{at("model"), at("backend")}, problem, fix})
		}
		if b.Backend == EngineBackend && b.Think != "" {
			rs = append(rs, relation{[]string{at("think"), at("backend")}, fmt.Sprintf("backend %q has no thinking to turn on", EngineBackend), "think = false"})
		}
		if b.Backend == OllamaBackend && b.MaxTokens >= b.Context {
			rs = append(rs, relation{[]string{at("max_tokens"), at("context")},
				fmt.Sprintf("a reply of %d tokens leaves no room for a prompt in a context of %d", b.MaxTokens, b.Context), "a larger context, or fewer tokens"})
		}
	}
	if ref := r.Reference; ref.Model != OfGenerator {
		if problem, fix := misnamed(ref.Backend, ref.Model); problem != "" {
			rs = append(rs, relation{[]string{"roles.reference.model", "roles.reference.backend"}, problem, fix})
		}
	}
	return rs
}

// sharedRelations hold the roles on one model of a server to one context and one number of threads: the server would load it again at every
// change. Names that mean one model and differ are left to the server, which knows.
func sharedRelations(r *Roles) []relation {
	type user struct {
		role string
		Reader
	}
	var users []user
	for _, b := range r.bindings() {
		if b.role == "transfer" || b.role == "judge" && len(r.Oracles) > 0 {
			continue // most runs open none, or the oracles in its place
		}
		users = append(users, user{b.role, b.reader()})
	}
	if r.Reference.Model != OfGenerator {
		users = append(users, user{"reference", r.Reference})
	}
	var rs []relation
	for i, b := range users {
		if b.Backend != OllamaBackend {
			continue
		}
		first := users[slices.IndexFunc(users[:i+1], func(a user) bool { return a.Backend == b.Backend && a.Host == b.Host && a.Model == b.Model })]
		differ := func(key, have string) {
			rs = append(rs, relation{[]string{roleKey(first.role, key), roleKey(b.role, key)},
				fmt.Sprintf("the %s and the %s are %s with %s, and the server would load it again at each change", first.role, b.role, b.Model, have), "the same for all roles on one model"})
		}
		if first.Context != b.Context {
			differ("context", fmt.Sprintf("contexts of %d and of %d tokens", first.Context, b.Context))
		}
		if first.Threads != b.Threads {
			differ("threads", fmt.Sprintf("%d and %d threads", first.Threads, b.Threads))
		}
	}
	return rs
}

// roleKey is a key of a role; of an oracle the list of all of them.
func roleKey(role, key string) string {
	if strings.HasPrefix(role, oraclePrefix) {
		return "roles.oracles"
	}
	return "roles." + role + "." + key
}

// misnamed says what is wrong with a model's name at a backend, and how to mend it; "" where nothing is.
func misnamed(backend, model string) (problem, fix string) {
	tag, tagged := strings.CutPrefix(model, Tagged)
	switch {
	case backend == OllamaBackend && tagged:
		return fmt.Sprintf("backend %q serves models by their tags alone", backend), fmt.Sprintf("model = %q, or backend = %q, which reads the file behind the tag", tag, EngineBackend)
	case backend == OllamaBackend && strings.HasSuffix(model, ".gguf"):
		return fmt.Sprintf("backend %q serves models by their tags, not files", backend), fmt.Sprintf("backend = %q, or: ollama create TAG, with a Modelfile that says FROM %s", EngineBackend, model)
	case backend == EngineBackend && !slices.Contains([]string{Micro, MicroB}, model) && !isFile(backend, model) && (!tagged || tag == ""):
		return fmt.Sprintf("backend %q has no model of that name", backend),
			fmt.Sprintf("%q, %q, the path of a .gguf file, %q for the file behind a local Ollama server's model, or backend = %q", Micro, MicroB, Tagged+strings.TrimPrefix(model, Tagged), OllamaBackend)
	case (tagged || backend == OllamaBackend) && strings.ContainsAny(model, " \t"):
		return "a tag has no spaces", "the name as the server lists it, such as qwen2.5:3b"
	}
	return "", ""
}
