package chat

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ardanlabs/jinja"
)

// named are the templates that can be asked for by name, for models whose file has none: three families as their makers publish them,
// without a system message of their own.
var named = map[string]string{
	"chatml": `{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}` +
		`{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`,

	"llama2": `{% if messages[0].role == 'system' %}{% set system = '<<SYS>>\n' + messages[0].content + '\n<</SYS>>\n\n' %}{% set turns = messages[1:] %}` +
		`{% else %}{% set system = '' %}{% set turns = messages %}{% endif %}` +
		`{% for m in turns %}` +
		`{% if m.role == 'user' %}{{ bos_token + '[INST] ' }}{% if loop.first %}{{ system }}{% endif %}{{ m.content.strip() + ' [/INST]' }}` +
		`{% elif m.role == 'assistant' %}{{ ' ' + m.content.strip() + ' ' + eos_token }}` +
		`{% else %}{{ raise_exception('a system message can only be the first') }}{% endif %}{% endfor %}`,

	"llama3": `{{ bos_token }}{% for m in messages %}` +
		`{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\n\n' + m.content.strip() + '<|eot_id|>' }}{% endfor %}` +
		`{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}`,
}

// spells are the control tokens that each of them writes besides the vocabulary's own first and last: without them it would write their names.
var spells = map[string][]string{
	"chatml": {"<|im_start|>", "<|im_end|>"},
	"llama3": {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
}

// Names lists the templates that can be asked for by name.
func Names() []string { return slices.Sorted(maps.Keys(named)) }

// Named is the template of that name. A vocabulary that lacks one of its control tokens is an error: such a model was never trained on it.
func Named(name string, v Vocabulary) (*Template, error) {
	source, ok := named[name]
	if !ok {
		return nil, fmt.Errorf("template %q is not known; known: %s", name, strings.Join(Names(), ", "))
	}
	var lacks []string
	for _, control := range spells[name] {
		if !slices.Contains(v.Controls, control) {
			lacks = append(lacks, control)
		}
	}
	if strings.Contains(source, "bos_token") && v.Begin == "" {
		lacks = append(lacks, "one that begins a text")
	}
	if len(lacks) > 0 {
		return nil, fmt.Errorf("the model's vocabulary lacks the control tokens of template %q: %s", name, strings.Join(lacks, ", "))
	}
	compiled, err := jinja.Compile(separate(source))
	if err != nil {
		return nil, err
	}
	// It is our own, and needs no process of its own.
	return newTemplate(func(c conversation) (string, error) { return renderBy(compiled, c) }, v)
}
