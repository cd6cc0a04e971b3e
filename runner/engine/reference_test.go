package engine

import (
	"math"
)

// reference computes next-token log-probabilities in float64 by loops that follow the definition of the model, one position after the
// other and one head after the other, from the weights in memory.
type reference struct{ *Model }

func (m reference) logprobs(tokens []int32) [][]float64 {
	width, half := m.Width, m.HeadDim/2
	type cache struct{ k, v [][]float64 }
	caches := make([]cache, m.Layers)
	var out [][]float64
	for pos, token := range tokens {
		x := make([]float64, width)
		for i := range x {
			x[i] = float64(m.Embedding[int(token)*width+i])
		}
		for layer := range m.Blocks {
			b, c := &m.Blocks[layer], &caches[layer]
			n := m.norm(x, b.AttnNorm)
			q, k, v := times(b.Q, n, b.BQ), times(b.K, n, b.BK), times(b.V, n, b.BV)
			for _, heads := range [][]float64{q, k} {
				for h := 0; h < len(heads); h += m.HeadDim {
					for i := range half {
						angle := float64(pos) * math.Pow(float64(m.RopeBase), -2*float64(i)/float64(m.HeadDim))
						if m.RopeFactors != nil {
							angle /= float64(m.RopeFactors[i])
						}
						if m.RopeScale != 0 {
							angle /= float64(m.RopeScale)
						}
						first, second := h+2*i, h+2*i+1
						if m.Arch == Qwen2 {
							first, second = h+i, h+i+half
						}
						s, cos := math.Sincos(angle)
						heads[first], heads[second] = heads[first]*cos-heads[second]*s, heads[first]*s+heads[second]*cos
					}
				}
			}
			c.k, c.v = append(c.k, k), append(c.v, v)
			att := make([]float64, m.Heads*m.HeadDim)
			for h := range m.Heads {
				kv := h / (m.Heads / m.KVHeads) * m.HeadDim
				weights := make([]float64, pos+1)
				sum := 0.0
				for p := range weights {
					dot := 0.0
					for i := range m.HeadDim {
						dot += q[h*m.HeadDim+i] * c.k[p][kv+i]
					}
					weights[p] = math.Exp(dot / math.Sqrt(float64(m.HeadDim)))
					sum += weights[p]
				}
				for p, weight := range weights {
					for i := range m.HeadDim {
						att[h*m.HeadDim+i] += weight / sum * c.v[p][kv+i]
					}
				}
			}
			add(x, times(b.O, att, nil))
			n = m.norm(x, b.FFNNorm)
			gate, up := times(b.Gate, n, nil), times(b.Up, n, nil)
			for i, g := range gate {
				gate[i] = g / (1 + math.Exp(-g)) * up[i]
			}
			add(x, times(b.Down, gate, nil))
		}
		logits := times(m.Head, m.norm(x, m.OutNorm), nil)
		sum := 0.0
		for _, l := range logits {
			sum += math.Exp(l)
		}
		for i := range logits {
			logits[i] -= math.Log(sum)
		}
		out = append(out, logits)
	}
	return out
}

func (m reference) norm(x []float64, gain []float32) []float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v / math.Sqrt(sum/float64(len(x))+float64(m.Epsilon)) * float64(gain[i])
	}
	return out
}

// times is w·x + bias, w row-major.
func times(w []float32, x []float64, bias []float32) []float64 {
	out := make([]float64, len(w)/len(x))
	for i := range out {
		for j, v := range x {
			out[i] += float64(w[i*len(x)+j]) * v
		}
		if len(bias) > 0 {
			out[i] += float64(bias[i])
		}
	}
	return out
}

func add(x, y []float64) {
	for i, v := range y {
		x[i] += v
	}
}
