// Package diversity measures how varied a set of task statements is: whether a generator that earns more also repeats itself.
//
// PROPEL (arXiv 2606.18284) reports mode collapse by Self-BLEU-3, Distinct-3 and the share of the top topic; the Vendi score and the
// effective number of types are added here. Every figure but the type shares changes with the number of statements, at equal variety, so
// arms are compared on samples of equal size: Measure draws them, and a Report says how many statements each of its figures is of.
package diversity
