package policy

import "math"

// K1 is log p − log q, the unbiased estimate of KL(p‖q) from a token sampled from p, in nats. It may be negative. It belongs into a reward:
// as a loss its expected gradient is zero. (Schulman, "Approximating KL Divergence", 2020, calls it k1.)
func K1(logp, logq float64) float64 { return logp - logq }

// K3 is q/p − log(q/p) − 1, the unbiased, never negative and less noisy estimate of KL(p‖q) from a token sampled from p, in nats.
// It belongs into a loss, as GRPO has it (arXiv 2402.03300, eq. 4).
func K3(logp, logq float64) float64 {
	d := logq - logp
	return math.Expm1(d) - d
}
