package grade

// Verdict is how a prediction compares with a gold answer.
type Verdict string

// The three verdicts. Undecided answers belong in no reward and no rate.
const (
	Equal     Verdict = "equal"
	Different Verdict = "different"
	Undecided Verdict = "undecided"
)

// Result is a judgement.
type Result struct {
	Verdict    Verdict
	Reason     string // what settled it, or why nothing did
	Unreadable bool   // the prediction could not be read; the verdict is Different
}
