// Package diversity measures how varied a set of task statements is: whether a generator that earns more also repeats itself.
//
// PROPEL (arXiv 2606.18284) reports mode collapse by Self-BLEU-3, Distinct-3 and the share of the top topic; the Vendi score and the
// effective number of types are added here. The figures of the texts change with the number of statements, at equal variety, so arms are
// compared on samples of equal size: Measure draws them, and a Report says how many statements each of its figures is of. Type shares are of
// all statements; their effective number, being of observed shares, is a little low where types are many and statements few.
package diversity
