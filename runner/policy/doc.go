// Package policy optimises what a generator proposes: estimators turn rewards into the coefficients of a policy gradient, and policies follow it.
package policy
