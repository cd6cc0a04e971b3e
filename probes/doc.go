// Package probes reads from a model's hidden states, while it reads a task, whether the task is in band for a solver (PROPEL, arXiv 2606.18284).
//
// It asks of a model only to be a Reader. How well a probe predicts is measured by package metric on tasks that had no part in its making.
// Beside the activation probes stands their control, which reads the task's text alone.
package probes
