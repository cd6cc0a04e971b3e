package profiles

import "strconv"

// Seeds are a sweep's: either Count of them, from the seed of the profile on, or those of List.
type Seeds struct {
	Count int
	List  []uint64
}

// From lists the seeds of a sweep whose profile has the seed first.
func (s Seeds) From(first uint64) []uint64 {
	if s.List != nil {
		return s.List
	}
	list := make([]uint64, s.Count)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

// MarshalTOML writes the count or the list.
func (s Seeds) MarshalTOML() ([]byte, error) {
	if s.List == nil {
		return strconv.AppendInt(nil, int64(s.Count), 10), nil
	}
	text := []byte("[")
	for i, seed := range s.List {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = strconv.AppendUint(text, seed, 10)
	}
	return append(text, ']'), nil
}

// mostSeeds is far above what one machine runs, and catches a seed given as a count.
const mostSeeds = 1000

// seeds allows a count or a list without repetitions.
func seeds() rule {
	return rule{"1 to " + strconv.Itoa(mostSeeds) + ", or a list of seeds, each once", outOfRange, func(v any) bool {
		s := v.(Seeds)
		if s.List != nil {
			return set(s.List) && len(s.List) <= mostSeeds
		}
		return 1 <= s.Count && s.Count <= mostSeeds
	}}
}

func asSeeds(v any) (Seeds, bool) {
	if n, ok := asInt(v); ok {
		return Seeds{Count: n}, true
	}
	list, ok := listOf(asSeed)(v)
	return Seeds{List: list}, ok
}

func asSeed(v any) (uint64, bool) {
	i, ok := v.(int64)
	return uint64(i), ok && i >= 0
}
