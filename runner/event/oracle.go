package event

import "verge/domains"

// OracleAnswered is what an oracle model says of a valid task that has no exact answer, once for each task and oracle. The oracles are asked
// in turn, each of the tasks that those before it agree on.
type OracleAnswered struct {
	Key     Key            `json:"key"`
	Oracle  int            `json:"oracle"` // by number, from 0
	Answers []OracleAnswer `json:"answers"`
	Agreed  bool           `json:"agreed"` // all answers, with each other and with those of the oracles before
	Answer  domains.Answer `json:"answer"` // of the task from now on: known where the last of the oracles agrees
	Tokens  int            `json:"tokens"`
}

// OracleAnswer is one answer.
type OracleAnswer struct {
	Episode domains.Episode `json:"episode"`
	Answer  domains.Answer  `json:"answer"` // not known where it answers nothing
	Error   string          `json:"error,omitempty"`
}
