package store

import (
	"database/sql"
	"fmt"

	"verge/runner/event"
)

// row is an event as it is stored.
type row struct {
	seq                     int64
	name                    string
	arm, stage              sql.NullString
	step, proposal, attempt sql.NullInt64
	payload                 string
	state                   State // of the run after the event
}

// newRow encodes an event, with the columns that it can be looked up by.
func newRow(e event.Event) (row, error) {
	name, payload, err := event.Encode(e)
	if err != nil {
		return row{}, err
	}
	r := row{name: name, payload: string(payload), state: Running}
	switch e := e.(type) {
	case event.StageStarted:
		r.arm, r.stage = text(e.Arm), text(string(e.Stage))
	case event.TaskProposed:
		r.setKey(e.Key)
	case event.TaskValidated:
		r.setKey(e.Key)
	case event.OracleAnswered:
		r.setKey(e.Key)
	case event.AttemptGraded:
		r.setKey(e.Key)
		r.attempt = integer(e.Attempt)
	case event.ProbeScored:
		r.setKey(e.Key)
	case event.PolicyUpdated:
		r.arm, r.step = text(e.Arm), integer(e.Step)
	case event.ContextUpdated:
		r.arm, r.step = text(e.Arm), integer(e.Step)
	case event.Measured:
		r.arm, r.step = text(e.Arm), integer(e.Steps)
	case event.Evaluated:
		r.arm = text(e.Arm)
	case event.Warned:
		r.arm = text(e.Arm)
	case event.RunEnded:
		r.state = Done
		if e.Failed != "" {
			r.state = Failed
		}
	}
	return r, nil
}

func (r *row) setKey(k event.Key) {
	r.arm, r.stage, r.step, r.proposal = text(k.Arm), text(string(k.Stage)), integer(k.Step), integer(k.Proposal)
}

// String names the event as errors do.
func (r row) String() string {
	s := r.name
	if r.proposal.Valid {
		s += fmt.Sprintf(" %s/%s/%d/%d", r.arm.String, r.stage.String, r.step.Int64, r.proposal.Int64)
	}
	if r.attempt.Valid {
		s += fmt.Sprintf(" attempt %d", r.attempt.Int64)
	}
	return s
}

func text(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }
func integer(n int) sql.NullInt64  { return sql.NullInt64{Int64: int64(n), Valid: true} }
