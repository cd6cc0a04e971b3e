package walkthrough

import "verge/runner/event"

// propel is the lesson on PROPEL (arXiv 2606.18284).
func propel() Lesson {
	return Lesson{Recipe: "propel", Profile: "quick", Sets: []string{`run.arms=["base", "propel"]`}, phase: propelPhase, pages: []page{
		{
			title: "The learnable frontier", phase: opening,
			says: "A generator proposes tasks, a solver attempts each of them K times. What it always gets right teaches it nothing, nor does what it never gets right. " +
				"The frontier is between: the band of tasks whose share of right attempts is from a to b. A generator can be trained to propose there.",
			formula:  utility,
			picture:  frontierOfChance,
			watch:    "the band. Everything that follows is about putting more tasks into it.",
			question: "a solver gets a task right with probability 5 %. How often does it fail all of its attempts, so that the task looks impossible?",
			answer:   "with 8 attempts (1 − 0.05)^8 = 66 % of the time. Few attempts make a noisy label: the same task is in the band on one day and not on another.",
			breaks:   "too few attempts, or a band as wide as everything.",
		},
		{
			title: "The generator proposes", phase: firstProposal,
			says: "The generator is a language model. Here it is micro: 0.8 million parameters, trained from scratch on texts of this kind. It is asked for a task and writes " +
				"one, byte by byte. Below are its latest.",
			picture:  proposed(6),
			more:     proposals,
			watch:    "the statements. Press s a few times for more; each is drawn from the same distribution, at temperature 1.",
			question: "which of those you have seen are no tasks at all?",
			answer:   "the ones that break the grammar, and the ones that no whole number answers, or several do. A cheap rule can tell, without a solver: the next page.",
			breaks:   "a temperature near 0: the same few tasks again and again.",
		},
		{
			title: "Validity: the predicate W", phase: someProposals,
			says: "W is a cheap test that needs no solver: does the text parse, and does exactly one whole number answer it? What fails is counted with its reason, and " +
				"is never shown to the solver.",
			formula: validity,
			picture: decided(10),
			more:    proposals,
			watch: "the reasons. no_solution: no whole number answers it, as in 7/2. ambiguous: several do, as in 2,4,? and missing_information: nothing is asked, or too little said. " +
				"A generator that is paid for valid tasks alone learns to avoid these, and nothing else.",
			question: "a generator's share of in-band tasks doubles. What part of that may be validity alone?",
			answer:   "in band = valid × in band given valid. If valid rises from 60 to 90 %, a gain of one half is no skill at the frontier. So both factors are shown, always.",
			breaks:   "a predicate that can be fooled: the generator finds what it lets through.",
		},
		{
			title: "The solver attempts", phase: firstAttempts,
			says: "The solver, the same small model in another role, attempts each valid task K times, each time anew. Each answer is graded against the exact value. The solve " +
				"rate is right attempts over graded ones.",
			formula:  solveRate,
			picture:  attempted(8),
			example:  true,
			more:     attempts,
			watch:    "what each attempt at the last task answered, ✓ right and ✗ wrong. Press s to see the next task attempted.",
			question: "why are the attempts not the reward, if they say exactly what is wanted?",
			answer:   "they may be: that is called solver in the loop. But every update then costs K attempts at every task, for a label that is noisy. PROPEL pays once.",
			breaks:   "an answer key that is wrong: then tasks look hard that are only mislabelled.",
		},
		{
			title: "Collect once", phase: labelled,
			says: "This is the only time that the solver is needed before the end: the frozen base generator proposes a corpus, and the solver labels it. Then the " +
				"base generator is measured on fresh proposals, to compare with.",
			formula:  corpusFigures,
			picture:  corpusHistogram,
			watch:    "the histogram: a heap of tasks that are never solved, a lower one of those that nearly always are, and little between. The band has the stars.",
			question: "would a larger corpus make the base generator any better?",
			answer:   "no, nothing was trained. It gives the next step more labels, and so a better probe.",
			breaks:   "measuring on the corpus itself. The base is measured on proposals of its own.",
		},
		{
			title: "A probe learns to see the frontier", phase: probed,
			says: "The frozen generator reads each task of the corpus. A small classifier, the probe, learns which are in band from the hidden states of one layer. It is " +
				"cross-validated: each task is scored by a probe that never saw it.",
			formula: probeFormula,
			picture: probeDeciles,
			watch: "the in-band rate rises with the score. AUROC is how often a task in band scores above one that is not (by chance: 0.5); ECE, how far " +
				"probabilities are from what happens.",
			question: "a probe with an AUROC of 0.7 errs often. Why can it train a generator all the same?",
			answer: "the policy gradient averages over many tasks: it needs a reward that is right on average and that varies. RVP, the variance of the reward, predicted " +
				"the paper's gains better than accuracy did.",
			breaks: "near-duplicates in two folds: the probe then looks excellent and has learned to recognise.",
		},
		{
			title: "The reward", phase: rewarded,
			says: "Now the generator is trained. A valid task's reward is the probe's logit, read from the frozen base: the policy in training cannot raise it by moving its own " +
				"activations. An invalid task gets a constant. No solver runs.",
			formula: rewardFormula,
			picture: rewards,
			watch: "the rewards of the first group. The constant is not the least of them: a valid task that the probe thinks far from the band can get less than " +
				"an invalid one.",
			question: "why the logit, and not the probability?",
			answer:   "a probability near 0 or 1 hardly changes however much better a task is; the logit goes on telling better from worse.",
			breaks:   "a probe that reads the policy itself, or the length of the text: then the reward rises and the tasks do not.",
		},
		{
			title: "The policy gradient", phase: rewarded,
			says: "GRPO compares the tasks of a group: what is better than its group becomes more likely, what is worse less so. Only a small adapter (LoRA) is trained. The loss has a " +
				"penalty for leaving the base, the KL.",
			formula:  grpo,
			picture:  groupAdvantages,
			watch:    "the advantages: they sum to zero, so that a group of equals teaches nothing.",
			question: "what happens when all eight tasks of a group get the same reward?",
			answer:   "their advantages are 0: a dead group. A generator that has collapsed to one task has only those, and stops learning.",
			breaks:   "a deviation near 0: noise is then the loudest signal.",
		},
		{
			title: "Training, step by step", phase: trained,
			says: "A batch, an update, and again. The reward rises, if not at every update; so does the KL, the distance from the base. Training ends after its steps, or when the " +
				"policy is farther from its base than the probe can be trusted.",
			formula:  trainingFigures,
			picture:  trainingCurves,
			watch:    "whether the KL rises faster than the reward. Valid can fall at first: an invalid task is then paid more than many a valid one.",
			question: "the reward still rises. Is the generator still getting better?",
			answer:   "nobody knows from the reward alone: it is the probe's opinion. Only the solver can tell, and it is asked at the end.",
			breaks:   "choosing the best step by the solver's attempts: that would be training on the evaluation.",
		},
		{
			title: "The solver has the last word", phase: evaluated,
			says: "The trained generator proposes afresh, and the solver attempts what it proposes. These are the run's figures; the probe's score is in none of them. Brackets are " +
				"95 % intervals; their unit is the distinct task, so that to repeat one narrows nothing.",
			formula:  outcome,
			picture:  outcomeHistogram,
			watch:    "both factors, and the share of the most frequent type: what the gain cost.",
			question: "one run shows one gain. What does that say of another seed?",
			answer:   "little: the interval is of this policy. Other seeds differ by more, which verge sweep measures.",
			breaks:   "reporting the best seed.",
		},
		{
			title: "What KL does, at both ends", phase: evaluated, ends: true,
			says: "The weight of the KL, β, is a setting to explore, not a safety switch. Two more runs on the same corpus show its ends: no penalty, and one twenty times as large as here. " +
				"Each takes as long as the first.",
			picture:  bothEndsTable,
			watch:    "in band against top type: the yield and what is left of the variety.",
			question: "which of the three would you hand to a class of solvers?",
			answer: "it depends on what they need: without KL the generator may repeat one kind of task, which a solver soon knows; with too much it hardly leaves the base. " +
				"The paper saw collapse at a low KL, and saw KL drive collapse as well.",
			breaks: "reading a single number. In band alone would choose the collapsed generator.",
		},
		{
			title: "Where to go from here", phase: evaluated,
			says: "That was PROPEL: collect once, train a probe once, train the generator on its logit, measure with the solver. The paper's variants, and baselines " +
				"that it lacks, are arms of the profile propel-math: one run compares them.",
			formula:  further,
			watch:    "o shows the panes of this run: every task can be opened, with its attempts.",
			question: "which baseline would you want to see beside PROPEL before you believed it?",
			answer:   "the best of N by the same probe (no training at all), a reward for validity alone, a probe that reads only the text, and the solver in the loop at equal attempts.",
			breaks:   "a comparison without them.",
		},
	}}
}

// proposals and attempts say whether there are any of the corpus to come.
func proposals(corpus *event.Tally) bool { return corpus.Proposed+corpus.Errors < corpus.Total }

func attempts(corpus *event.Tally) bool { return proposals(corpus) || corpus.Tried < corpus.Valid }
