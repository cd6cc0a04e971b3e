// Package paired compares two cells of a sweep seed by seed: arms or settings that ran on the same seeds share what a seed decides, so their
// differences are less noisy than their values.
//
// The seed is the unit: attempts and tasks inside a run are not drawn again. What few seeds can show is limited, and no method changes that. The
// two-sided sign test cannot go below 2^(1−n), which is 0.0625 for five seeds and 0.03125 for six; and percentile bootstrap intervals are too
// narrow: for five normal differences a 95 % interval holds the true mean about five times in six.
package paired
