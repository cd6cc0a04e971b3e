// Package store keeps runs on disk: one folder a run, in it one SQLite database of the run's events.
//
// A run is written by one process at a time, batch by batch in transactions, and read by any number meanwhile. Events
// hold no clock readings; when they were stored is kept beside them, in the timings table. Tags and a note, which a person
// gives a run, are rows of meta. The layout has a version: see layouts.
//
//	OUT/RUN/run.db     meta(key, value), events(seq, name, arm, stage, step, proposal, attempt, payload),
//	                   timings(id, session, seq, unix_ms)
//	OUT/RUN/run.lock   locked by the process that writes the run, and free once it is gone, however it went
package store
