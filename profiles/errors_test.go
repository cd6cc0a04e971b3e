package profiles

import "testing"

const setKeys = "set its keys, such as "

func TestBadProfiles(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		// Syntax.
		{"a = 1\nb =\n", []string{"f.toml:2: b =: not TOML: expected value but found the end of the line instead; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"[run]\nseed = 1\nseed = 2", []string{"f.toml:3: seed = 2: not TOML: Key 'run.seed' has already been defined; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"a = 1\n[policy\nkl = 1", []string{"f.toml:2: [policy: not TOML: expected '.' or ']' to end table name, but got the end of the line instead; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"[policy", []string{"f.toml:1: [policy: not TOML: expected '.' or ']' to end table name, but got the end of the file instead; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"\n[[roles.oracles]\n\n", []string{"f.toml:2: [[roles.oracles]: not TOML: expected end of table array name delimiter ']', but got the end of the line instead; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"title = 'x\ny'", []string{"f.toml:1: title = 'x: not TOML: strings cannot contain newlines; write KEY = VALUE lines under [TABLE] lines, texts in quotes"}},
		{"\ntitle = \"\"\"\nx", []string{`f.toml:3: x: not TOML: unexpected end of the file; expected '"""'; write KEY = VALUE lines under [TABLE] lines, texts in quotes`}},

		// Unknown keys and tables.
		{"[probe]\n\nkindd = 'linear'", []string{`f.toml:3: probe.kindd = "linear": unknown key; nearest is probe.kind`}},
		{"kl = 0.2", []string{"f.toml:1: kl = 0.2: unknown key; nearest is policy.kl"}},
		{"[roles.generator]\nstyle = 'steps'", []string{`f.toml:2: roles.generator.style = "steps": unknown key; nearest is roles.solver.style`}},
		{"[probe]\nlearning_rate = 1", []string{"f.toml:2: probe.learning_rate = 1: unknown key; nearest is policy.learning_rate"}},
		{"[polcy]\nkl = 1\nsteps = 2", []string{"f.toml:1: polcy: unknown table; nearest is policy"}},
		{"\n[roles.gen]\nmodel = 'micro'", []string{"f.toml:2: roles.gen: unknown table; nearest is roles.generator"}},
		{"Run.seed = 1", []string{"f.toml:1: Run: unknown table; nearest is run"}},
		{"\"run.seed\" = 1", []string{`f.toml:1: "run.seed" = 1: unknown key; nearest is run.seed`}},
		{"[run]\n\"\" = 1", []string{`f.toml:2: run."" = 1: unknown key; nearest is run.arms`}},
		{"run.extends = 'quick'", []string{`f.toml:1: run.extends = "quick": unknown key; nearest is run.seed`}},

		// Wrong types.
		{"\n\nrun.seed = \"x\"", []string{`f.toml:3: run.seed = "x": not a whole number; allowed: 0 to 9223372036854775807`}},
		{"[run]\nseed = -1", []string{"f.toml:2: run.seed = -1: out of range; allowed: 0 to 9223372036854775807"}},
		{"policy.group = 8.0", []string{"f.toml:1: policy.group = 8.0: not a whole number; allowed: 2 to 1024"}},
		{"policy.kl = true", []string{"f.toml:1: policy.kl = true: not a number; allowed: 0 to 100"}},
		{"[probe]\nkind = '''\nlinear\n'''", []string{`f.toml:2: probe.kind = "linear\n": not allowed; allowed: "linear", "mlp", "attention"`}},
		{"probe = { folds = 5,\nkind = 3 }", []string{`f.toml:2: probe.kind = 3: not text; allowed: "linear", "mlp", "attention"`}},
		{"probe.l2 = [1, 'a']", []string{`f.toml:1: probe.l2 = [1, "a"]: not a list of numbers; allowed: numbers above 0, each once`}},
		{"run.arms = 'base'", []string{`f.toml:1: run.arms = "base": not a list of texts; allowed: arms of the recipe, at least one, each once`}},
		{"policy = 3", []string{"f.toml:1: policy = 3: not a table; " + setKeys + "policy.kind"}},
		{"[[policy]]\nkl = 1", []string{"f.toml:1: policy: not a table; " + setKeys + "policy.kind"}},
		{"[run]\n[run.seed]", []string{"f.toml:2: run.seed: not a whole number; allowed: 0 to 9223372036854775807"}},
		{"extends = 3", []string{"f.toml:1: extends = 3: not text; the name of a profile or the path of a file"}},
		{"\nextends = 'quik'", []string{`f.toml:2: extends = "quik": no such profile; nearest is quick; profiles that ship: ablate-kl, ablate-probe, propel-math, propel-math-ollama, propel-math-small, quick, reference`}},
		{"extends = 'none.toml'", []string{`f.toml:1: extends = "none.toml": no such file; check the path, or name a profile that ships: ablate-kl, ablate-probe, propel-math, propel-math-ollama, propel-math-small, quick, reference`}},

		// Values that are not allowed.
		{"title = \"a\\nb\"", []string{`f.toml:1: title = "a\nb": not allowed; allowed: text of one line`}},
		{"policy.estimator = 'ppo'", []string{`f.toml:1: policy.estimator = "ppo": not allowed; allowed: "grpo", "drgrpo", "rloo", "reinforce++"`}},
		{"[roles.generator]\nmodel = 'qwen2'", []string{`f.toml:2: roles.generator.model = "qwen2": backend "engine" has no model of that name; "micro", "micro-b", the path of a .gguf file, ` +
			`"ollama:qwen2" for the file behind a local Ollama server's model, or backend = "ollama"`}},
		{"[roles.solver]\ntemperature = 0", []string{"f.toml:2: roles.solver.temperature = 0: out of range; allowed: 0.001 to 100"}},
		{"[roles.solver]\ntop_p = 1.5", []string{"f.toml:2: roles.solver.top_p = 1.5: out of range; allowed: above 0, at most 1"}},
		{"[policy]\nkl = nan", []string{"f.toml:2: policy.kl = nan: out of range; allowed: 0 to 100"}},
		{"[policy]\nclip = inf", []string{"f.toml:2: policy.clip = inf: out of range; allowed: above 0, at most 100000"}},
		{"probe.layer = -1", []string{`f.toml:1: probe.layer = -1: not a layer; allowed: "auto", "all", or 0 (embeddings) and up (after that block)`}},
		{"probe.l2 = [0]", []string{`f.toml:1: probe.l2 = [0]: out of range; allowed: numbers above 0, each once`}},
		{"probe.l2 = [inf]", []string{"f.toml:1: probe.l2 = [inf]: out of range; allowed: numbers above 0, each once"}},
		{"run.arms = []", []string{"f.toml:1: run.arms = []: not allowed; allowed: arms of the recipe, at least one, each once"}},
		{"run.arms = ['base', 'base']", []string{`f.toml:1: run.arms = ["base", "base"]: not allowed; allowed: arms of the recipe, at least one, each once`}},
		{"policy.targets = ['attn_q', 'attn_x']", []string{`f.toml:1: policy.targets = ["attn_q", "attn_x"]: not allowed; ` +
			`allowed: "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down", at least one, each once`}},
		{"target.low = 1.5", []string{`f.toml:1: target.low = 1.5: out of range; allowed: 0 to 1, as a number or as a fraction such as "1/8"`}},
		{"target.low = nan", []string{`f.toml:1: target.low = nan: out of range; allowed: 0 to 1, as a number or as a fraction such as "1/8"`}},
		{"target.low = '3/2'", []string{`f.toml:1: target.low = "3/2": not a rate; allowed: 0 to 1, as a number or as a fraction such as "1/8"`}},
		{"target.low = '1/0'", []string{`f.toml:1: target.low = "1/0": not a rate; allowed: 0 to 1, as a number or as a fraction such as "1/8"`}},
		{"target.attempts = 0", []string{"f.toml:1: target.attempts = 0: out of range; allowed: 1 to 64"}},

		// Values that do not go together.
		{"run.arms = ['base', 'propl']", []string{`f.toml:1: run.arms = ["base", "propl"]: recipe propel has no arm "propl"; allowed: "base", "propel", "propel-wco", "propel-coevolve", "cold-transfer", "best-of-n", "text-probe", "validity-only", "sil-equal", "sil-long"`}},
		{"[target]\nlow = 0.5\nhigh = 0.25", []string{"f.toml:2: target.low = 0.5: the band 1/2 to 1/4 is empty; target.low is at most target.high"}},
		{"extends = 'quick'\n[target]\nhigh = 0", []string{"f.toml:3: target.high = 0: the band 1/8 to 0/1 is empty; target.low is at most target.high"}},
		{"target.attempts = 2", []string{"f.toml:1: target.attempts = 2: no number of right attempts of 2 is a solve rate of 1/8 to 3/8; a band that holds a multiple of 1/2, or more attempts"}},
		{"[target]\nlow = 0.3\nhigh = 0.35", []string{"f.toml:2: target.low = 0.3: no number of right attempts of 8 is a solve rate of 3/10 to 7/20; a band that holds a multiple of 1/8, or more attempts"}},
		{"policy.proposals = 60", []string{"f.toml:1: policy.proposals = 60: 60 proposals are no whole number of groups of 8; nearest are policy.proposals 56 and 64"}},
		{"policy.group = 100", []string{"f.toml:1: policy.group = 100: 64 proposals are no whole number of groups of 100; nearest is policy.proposals 100"}},
		{"policy.steps = 1", []string{"f.toml:1: policy.steps = 1: 3 warm-up steps are more than all 1 steps; policy.warmup_steps is at most policy.steps"}},
		{"policy.baseline = true", []string{`f.toml:1: policy.baseline = true: estimator grpo compares the rewards of a group already; policy.baseline = false, or policy.estimator = "reinforce++"`}},
		{"policy.baseline = 1", []string{"f.toml:1: policy.baseline = 1: neither true nor false; allowed: true, false"}},
		{"probe.kind = 'attention'\nprobe.layer = 'all'", []string{`f.toml:2: probe.layer = "all": a probe of kind attention reads the tokens of one layer; probe.layer = "auto"`}},
		{"policy.kind = 'context'\npolicy.estimator = 'reinforce++'", []string{`f.toml:2: policy.estimator = "reinforce++": reinforce++ rewards the tokens of a reply one by one, and what a prompt says is one action; policy.estimator = "grpo", "drgrpo" or "rloo"`}},
		{"run.arms = ['cold-transfer']\npolicy.kind = 'context'", []string{`f.toml:2: policy.kind = "context": arm cold-transfer trains the weights of another family's generator; policy.kind = "lora", or run.arms without "cold-transfer"`}},
		{"policy.gamma = 0.9", []string{`f.toml:1: policy.gamma = 0.9: estimator grpo does not discount; policy.gamma = 1, or policy.estimator = "reinforce++"`}},

		// Models that their backends cannot have.
		{"[roles.solver]\nbackend = 'ollama'\nmodel = 'ollama:qwen2.5:3b'", []string{`f.toml:3: roles.solver.model = "ollama:qwen2.5:3b": backend "ollama" serves models by their tags alone; model = "qwen2.5:3b", or backend = "engine", which reads the file behind the tag`}},
		{"[roles.judge]\nmodel = 'a/b.gguf'\nbackend = 'ollama'", []string{`f.toml:2: roles.judge.model = "a/b.gguf": backend "ollama" serves models by their tags, not files; backend = "engine", or: ollama create TAG, with a Modelfile that says FROM a/b.gguf`}},
		{"[roles.solver]\nbackend = 'ollama'\nmodel = 'qwen 2'", []string{`f.toml:3: roles.solver.model = "qwen 2": a tag has no spaces; the name as the server lists it, such as qwen2.5:3b`}},
		{"[roles.solver]\nbackend = 'ollama'\nmodel = 'qwen2'\nmax_tokens = 4096", []string{"f.toml:4: roles.solver.max_tokens = 4096: a reply of 4096 tokens leaves no room for a prompt in a context of 2048; a larger context, or fewer tokens"}},
		{"[roles.solver]\nthink = true", []string{`f.toml:2: roles.solver.think = true: backend "engine" has no thinking to turn on; think = false`}},
		{"[roles.solver]\nthink = 'some'", []string{`f.toml:2: roles.solver.think = "some": neither true, false nor a level; allowed: true, false, "low", "medium", "high"`}},
		{"[[roles.oracles]]\nbackend = 'ollama'\nmodel = 'a'\n[[roles.oracles]]\nmodle = 'b'", []string{
			"f.toml:4: roles.oracles: number 2 has an unknown key modle; its keys are backend, model, host, context, threads, keep_alive, think, template, temperature, top_p, top_k, max_tokens; allowed: a list of tables with the keys of roles.judge"}},
		{"roles.oracles = [{backend = 'ollama', temperature = 0}]", []string{"f.toml:1: roles.oracles = [{…}]: number 1: temperature = 0: out of range, allowed: 0.001 to 100; allowed: a list of tables with the keys of roles.judge"}},
		{"roles.oracles = [{model = 'ollama:'}]", []string{`f.toml:1: roles.oracles = [{…}]: oracle 1, "ollama:": backend "engine" has no model of that name; "micro", "micro-b", the path of a .gguf file, "ollama:" for the file behind a local Ollama server's model, or backend = "ollama"`}},
		{"roles.oracles = 3", []string{"f.toml:1: roles.oracles = 3: not a list of tables; allowed: a list of tables with the keys of roles.judge"}},
		{"oracle.answers = 1", []string{"f.toml:1: oracle.answers = 1: a single answer of a single model has no other to agree with; oracle.answers = 2 or more, or two models in roles.oracles"}},
		{"extends = 'propel-math-ollama'\n[roles.solver]\ncontext = 4096", []string{"f.toml:3: roles.solver.context = 4096: the generator and the solver are qwen2.5:3b with contexts of 2048 and of 4096 tokens, and the server would load it again at each change; the same for all roles on one model"}},
		{"extends = 'propel-math-small'\n[roles.generator]\nthreads = 2\n[roles.solver]\nthreads = 2", []string{"f.toml:3: roles.generator.threads = 2: the generator and the judge are smollm2:135m with 2 and 1 threads, and the server would load it again at each change; the same for all roles on one model"}},
		{"ollama.outage = 10", []string{`f.toml:1: ollama.outage = 10: not a duration such as "90s"; allowed: a number and its unit (s, m, h), as in "90s": 0s to 24h`}},
		{"ollama.outage = '10 m'", []string{`f.toml:1: ollama.outage = "10 m": not a duration such as "90s"; allowed: a number and its unit (s, m, h), as in "90s": 0s to 24h`}},
		{"ollama.idle = '0s'", []string{`f.toml:1: ollama.idle = "0s": out of range; allowed: a number and its unit (s, m, h), as in "90s": 1s to 24h`}},

		// Everything is reported together, in the order of the lines; what depends on a wrong value is left out.
		{"[policy]\ngroup = 0\nproposals = 3\nsteps = 1\n[probe]\nfoldz = 2\nkind = 'mlpp'", []string{
			"f.toml:2: policy.group = 0: out of range; allowed: 2 to 1024",
			"f.toml:6: probe.foldz = 2: unknown key; nearest is probe.folds",
			`f.toml:7: probe.kind = "mlpp": not allowed; allowed: "linear", "mlp", "attention"`,
			"f.toml:4: policy.steps = 1: 3 warm-up steps are more than all 1 steps; policy.warmup_steps is at most policy.steps",
		}},
	} {
		_, err := Parse("f.toml", c.text, nil)
		checkErrors(t, c.text, err, c.want...)
	}
}

func TestBadSets(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"probe.kindd=linear", "--set probe.kindd=linear: unknown key; nearest is probe.kind"},
		{"seed=4", "--set seed=4: unknown key; nearest is run.seed"},
		{"run.seed", "--set run.seed: no value; write KEY=VALUE"},
		{"", "--set : no value; write KEY=VALUE"},
		{"run.seed=x", "--set run.seed=x: not a whole number; allowed: 0 to 9223372036854775807"},
		{"run.seed=", "--set run.seed: not a whole number; allowed: 0 to 9223372036854775807"},
		{"run.seed=1\nx=2", "--set run.seed=1\\nx=2: not a whole number; allowed: 0 to 9223372036854775807"},
		{"run.arms=", "--set run.arms: recipe propel has no arm \"\"; allowed: \"base\", \"propel\", \"propel-wco\", \"propel-coevolve\", \"cold-transfer\", \"best-of-n\", \"text-probe\", \"validity-only\", \"sil-equal\", \"sil-long\""},
		{"run.arms=[base", "--set run.arms=[base: not a list of texts; allowed: arms of the recipe, at least one, each once"},
		{"probe.l2=1,x", "--set probe.l2=1,x: not a list of numbers; allowed: numbers above 0, each once"},
		{"policy.kl=1#x", "--set policy.kl=1#x: not a number; allowed: 0 to 100"},
		{"policy.kl=1\n# x", "--set policy.kl=1\\n# x: not a number; allowed: 0 to 100"},
		{"probe.l2=[1] # x", "--set probe.l2=[1] # x: not a list of numbers; allowed: numbers above 0, each once"},
		{"policy={kl=1}", "--set policy={kl=1}: not a key but a table; set its keys, such as policy.kind"},
		{"extends=quick", "--set extends=quick: only a file can extend a profile; name the profile itself, or a file with this line"},
		{"policy.group=7", "--set policy.group=7: 128 proposals are no whole number of groups of 7; nearest are policy.proposals 126 and 133"},
		{"target.low=1/2", "--set target.low=1/2: the band 1/2 to 3/8 is empty; target.low is at most target.high"},
	} {
		_, err := Load("quick", []string{c.set})
		checkErrors(t, c.set, err, c.want)
	}
}
