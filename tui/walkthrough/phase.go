package walkthrough

import "verge/runner/event"

// The parts of PROPEL's loop that the run is held between.
const (
	opening       = iota
	firstProposal // the corpus's first
	someProposals
	firstAttempts // the corpus is proposed, and its first valid task attempted
	labelled      // the corpus is attempted, and the base evaluated
	probed
	rewarded // the first batch of the training is scored
	trained
	evaluated
)

// some is the number of proposals that the page on validity begins with.
const some = 24

// propelPhase tells the part of PROPEL's loop that an event belongs to. An event of a kind that it does not know belongs to the part of the one
// before it.
func propelPhase() func(event.Event) int {
	now := opening
	var attempted *event.Key
	return func(e event.Event) int {
		switch e := e.(type) {
		case event.RunStarted:
			now = opening
		case event.StageStarted:
			now = ofStage(event.Key{Arm: e.Arm, Stage: e.Stage}, opening)
		case event.TaskProposed:
			now = ofProposal(e.Key)
		case event.TaskValidated:
			now = ofProposal(e.Key)
		case event.ProbeScored:
			now = ofProposal(e.Key)
		case event.AttemptGraded:
			if attempted == nil {
				attempted = &e.Key
			}
			now = ofStage(e.Key, labelled)
			if e.Key.Stage == event.Corpus && e.Key == *attempted {
				now = firstAttempts
			}
			if e.Key.Stage == event.Train {
				now = trained
			}
		case event.ProbeTrained:
			now = probed
		case event.PolicyUpdated:
			now = trained
		}
		return now
	}
}

func ofProposal(k event.Key) int {
	corpus := firstAttempts
	switch {
	case k.Proposal == 0:
		corpus = firstProposal
	case k.Proposal < some:
		corpus = someProposals
	}
	return ofStage(k, corpus)
}

// ofStage is the part that a stage belongs to; corpus is that of the corpus.
func ofStage(k event.Key, corpus int) int {
	switch {
	case k.Stage == event.Corpus:
		return corpus
	case k.Stage == event.Probe:
		return probed
	case k.Stage == event.Train && k.Step == 0:
		return rewarded
	case k.Stage == event.Train:
		return trained
	case k.Arm == "base":
		return labelled
	}
	return evaluated
}
