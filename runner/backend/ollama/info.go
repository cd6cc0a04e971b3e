package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"verge/runner/backend"
)

// Info is what a server tells of a model without loading it, as it stands in a run's provenance.
type Info struct {
	Server          string   `json:"server"` // version
	Name            string   `json:"name"`   // with its tag
	Digest          string   `json:"digest"`
	Weights         string   `json:"weights,omitempty"` // digest of the file with the weights, where the server tells it
	Architecture    string   `json:"architecture"`
	Size            string   `json:"parameter_size"`
	Quantization    string   `json:"quantization"`
	Context         int      `json:"context_length"`   // that it was trained with
	Embedding       int      `json:"embedding_length"` // width of its hidden states
	Abilities       []string `json:"capabilities"`     // in the server's words
	Template        string   `json:"template"`
	ModelParameters string   `json:"parameters"` // of its Modelfile; queries override all that bear on sampling but stop words
	RemoteHost      string   `json:"remote_host,omitempty"`

	// File is the path of the file with the weights on the server's machine, Adapted that an adapter is put on them.
	File    string `json:"-"`
	Adapted bool   `json:"-"`
}

// Can says what a recipe may ask of the model.
func (i Info) Can() []backend.Capability {
	var can []backend.Capability
	if i.able(model.CapabilityCompletion) {
		can = append(can, Serves(i.Server)...)
	}
	if i.Embeds() {
		can = append(can, backend.Embeddings)
	}
	return can
}

// Serves says what a server of a version does with a model that completes texts.
func Serves(version string) []backend.Capability {
	if atLeast(version, 0, 12, 11) {
		return []backend.Capability{backend.Sampling, backend.Logprobs}
	}
	return []backend.Capability{backend.Sampling}
}

// Embeds says whether the server gives embeddings of the model: of one made for them, and up to version 0.29 of any.
func (i Info) Embeds() bool {
	return i.able(model.CapabilityEmbedding) || i.able(model.CapabilityCompletion) && released(i.Server) && !atLeast(i.Server, 0, 30, 0)
}

// Thinks says whether the model can think before it answers.
func (i Info) Thinks() bool { return i.able(model.CapabilityThinking) }

func (i Info) able(c model.Capability) bool { return slices.Contains(i.Abilities, string(c)) }

// released says that a version is that of a release: a server that somebody built from source calls itself 0.0.0.
func released(version string) bool {
	v, ok := numbers(version)
	return ok && v != [3]int{}
}

// atLeast compares versions. One that is no release is taken for a new one.
func atLeast(version string, want ...int) bool {
	v, ok := numbers(version)
	return !ok || v == [3]int{} || slices.Compare(v[:], want) >= 0
}

func numbers(version string) (v [3]int, ok bool) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.SplitN(version, ".", 3)
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return v, false
		}
		v[i] = n
	}
	return v, len(parts) == 3
}

// MissingModelError is a model that the server does not have.
type MissingModelError struct {
	Model, Host string
}

func (e *MissingModelError) Error() string {
	return fmt.Sprintf("the Ollama server at %s has no model %s; fetch it with: ollama pull %s, or by verge run with --pull", e.Host, e.Model, e.Model)
}

// CloudModelError is a model that runs on other machines than the server's, where that is not allowed.
type CloudModelError struct {
	Model, Remote string
}

func (e *CloudModelError) Error() string {
	return fmt.Sprintf("model %s runs at %s: every prompt would leave this machine and may cost money; name a local model, or allow cloud models in the profile", e.Model, e.Remote)
}

// ModelError is a wish that a model cannot fulfil.
type ModelError struct {
	Model, Text, Fix string
}

func (e *ModelError) Error() string { return fmt.Sprintf("model %s %s; %s", e.Model, e.Text, e.Fix) }

// fullName is a model's name with its tag, as the server lists it.
func fullName(name string) string { return model.ParseName(name).DisplayShortest() }

// Info asks the server about a model. It loads nothing.
func (c *Client) Info(ctx context.Context, name string) (Info, error) {
	version, err := c.Version(ctx)
	if err != nil {
		return Info{}, err
	}
	listed, err := c.find(ctx, name)
	if err != nil {
		return Info{}, err
	}
	var shown *api.ShowResponse
	if err := c.ask(ctx, func(ctx context.Context) error {
		var err error
		shown, err = c.api.Show(ctx, &api.ShowRequest{Model: name})
		return err
	}); err != nil {
		return Info{}, c.named(err, name)
	}
	info := Info{
		Server: version, Name: fullName(name), Digest: listed.Digest,
		Size: shown.Details.ParameterSize, Quantization: shown.Details.QuantizationLevel,
		Template: shown.Template, ModelParameters: shown.Parameters, RemoteHost: listed.RemoteHost,
	}
	info.File, info.Weights = weights(shown.Modelfile)
	info.Adapted = adapterLine.MatchString(shown.Modelfile)
	if shown.RemoteHost != "" {
		info.RemoteHost = shown.RemoteHost
	}
	for _, ability := range shown.Capabilities {
		info.Abilities = append(info.Abilities, string(ability))
	}
	info.Architecture, _ = shown.ModelInfo["general.architecture"].(string)
	info.Context = count(shown.ModelInfo, info.Architecture+".context_length")
	info.Embedding = count(shown.ModelInfo, info.Architecture+".embedding_length")
	if info.RemoteHost != "" && !c.allowCloud {
		return info, &CloudModelError{Model: info.Name, Remote: info.RemoteHost}
	}
	return info, nil
}

// count reads a number of a GGUF file's metadata, which came as JSON.
func count(metadata map[string]any, key string) int {
	n, _ := metadata[key].(float64)
	return int(n)
}

var (
	// weightsLine finds the file in a Modelfile's first FROM line, and its digest.
	weightsLine = regexp.MustCompile(`(?m)^FROM (.*\bsha256-([0-9a-f]{64}))\s*$`)
	adapterLine = regexp.MustCompile(`(?m)^ADAPTER `)
)

func weights(modelfile string) (file, digest string) {
	if m := weightsLine.FindStringSubmatch(modelfile); m != nil {
		return m[1], "sha256:" + m[2]
	}
	return "", ""
}

// plain is the template of a model that was given none: it reads a prompt as it stands.
const plain = "{{ .Prompt }}"

// Chats says whether the model reads chats: whether it has a template for them.
func (i Info) Chats() bool { return strings.TrimSpace(i.Template) != plain && i.Template != "" }

// Knows says whether a model's vocabulary has all of some tokens.
func (c *Client) Knows(ctx context.Context, name string, tokens []string) (bool, error) {
	var shown *api.ShowResponse
	err := c.ask(ctx, func(ctx context.Context) error {
		var err error
		shown, err = c.api.Show(ctx, &api.ShowRequest{Model: name, Verbose: true})
		return err
	})
	if err != nil {
		return false, c.named(err, name)
	}
	list, _ := shown.ModelInfo["tokenizer.ggml.tokens"].([]any)
	has := map[string]bool{}
	for _, t := range list {
		if text, ok := t.(string); ok {
			has[text] = true
		}
	}
	for _, t := range tokens {
		if !has[t] {
			return false, nil
		}
	}
	return true, nil
}

// Version is the server's version.
func (c *Client) Version(ctx context.Context) (version string, err error) {
	err = c.ask(ctx, func(ctx context.Context) error {
		version, err = c.api.Version(ctx)
		return err
	})
	if outcomeOf(err) == Missing { // the page, not a model
		err = &CallError{Outcome: ServerError, Text: fmt.Sprintf("%s is the address of no Ollama server, though something answers there", c.url),
			Fix: "name the server by HOST:PORT, with a path only where a proxy has it under one", Err: err}
	}
	return version, err
}

// Models lists the models that the server has.
func (c *Client) Models(ctx context.Context) (models []api.ListModelResponse, err error) {
	err = c.ask(ctx, func(ctx context.Context) error {
		list, err := c.api.List(ctx)
		if err == nil {
			models = list.Models
		}
		return err
	})
	return models, err
}

// Running lists the models that are loaded.
func (c *Client) Running(ctx context.Context) (models []api.ProcessModelResponse, err error) {
	err = c.ask(ctx, func(ctx context.Context) error {
		list, err := c.api.ListRunning(ctx)
		if err == nil {
			models = list.Models
		}
		return err
	})
	return models, err
}

func (c *Client) find(ctx context.Context, name string) (api.ListModelResponse, error) {
	list, err := c.Models(ctx)
	if err != nil {
		return api.ListModelResponse{}, err
	}
	for _, m := range list {
		if strings.EqualFold(fullName(m.Name), fullName(name)) {
			return m, nil
		}
	}
	return api.ListModelResponse{}, &MissingModelError{Model: name, Host: c.url.String()}
}

// atOnce bounds calls for which a server loads nothing.
const atOnce = 30 * time.Second

// ask makes a call through api.Client that the server answers at once, and translates its error. Nothing is retried: these calls stand
// before a run, where a server that is away is a wrong request.
func (c *Client) ask(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, atOnce, &passed{"no answer", atOnce})
	defer cancel()
	err := translate(ctx, call(ctx))
	if outcomeOf(err) == Refused {
		return &UnreachableError{Host: c.url.String(), Err: err}
	}
	return err
}

// translate makes a CallError of an error of api.Client.
func translate(ctx context.Context, err error) error {
	var status api.StatusError
	var login api.AuthorizationError
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &status):
		return refusal(status.StatusCode, []byte(status.ErrorMessage))
	case errors.As(err, &login):
		return &CallError{Outcome: ServerError, Status: login.StatusCode, Text: "the server wants you to sign in", Fix: "run: ollama signin"}
	case errors.As(err, &syntax), errors.As(err, &kind):
		return &CallError{Outcome: ServerError, Text: "the answer is not the JSON it should be: " + err.Error(), Err: err}
	}
	return broken(ctx, err)
}

// named makes a MissingModelError of an answer that says so.
func (c *Client) named(err error, name string) error {
	if outcomeOf(err) == Missing {
		return &MissingModelError{Model: name, Host: c.url.String()}
	}
	return err
}
