// Package sweep runs one profile over a grid of settings and seeds.
//
// A sweep lives in a folder, OUT/sweep-NAME, in which each cell is an ordinary run. A cell is known by the hash of its resolved profile, seed
// included, so that a changed grid only adds cells, and running a sweep again only runs what is not done.
package sweep
