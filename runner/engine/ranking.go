package engine

// ranking lists token ids by falling value, equal ones by rising id. It is a heap, since of a large vocabulary only the first are wanted.
type ranking struct {
	values []float32
	ids    []int32
	kept   []float32
}

func (r *ranking) reset(values []float32) {
	r.values, r.ids = values, r.ids[:0]
	for i := range values {
		r.ids = append(r.ids, int32(i))
	}
	for i := len(r.ids)/2 - 1; i >= 0; i-- {
		r.sink(i)
	}
}

func (r *ranking) before(a, b int32) bool {
	return r.values[a] > r.values[b] || r.values[a] == r.values[b] && a < b
}

func (r *ranking) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(r.ids) {
			return
		}
		if child+1 < len(r.ids) && r.before(r.ids[child+1], r.ids[child]) {
			child++
		}
		if !r.before(r.ids[child], r.ids[i]) {
			return
		}
		r.ids[i], r.ids[child] = r.ids[child], r.ids[i]
		i = child
	}
}

// next takes the first id that is left.
func (r *ranking) next() int32 {
	id, last := r.ids[0], len(r.ids)-1
	r.ids[0] = r.ids[last]
	r.ids = r.ids[:last]
	r.sink(0)
	return id
}

// keep sets all but the largest of probs to 0, and returns the sum of those kept: at most n, and no more than it takes to reach mass.
func (r *ranking) keep(probs []float32, n int, mass float32) (sum float32) {
	r.kept = append(r.kept[:0], probs...)
	r.reset(r.kept)
	clear(probs)
	for len(r.ids) > 0 && n > 0 && sum < mass {
		id := r.next()
		probs[id] = r.kept[id]
		sum += r.kept[id]
		n--
	}
	return sum
}
