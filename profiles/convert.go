package profiles

// convert stores a TOML value in the field that dst points to. It returns what is wrong with the value, or "" when it is stored.
func convert(dst, value any) (problem string) {
	switch dst := dst.(type) {
	case *string:
		return put(dst, value, asText, "not text")
	case *int:
		return put(dst, value, asInt, "not a whole number")
	case *bool:
		return put(dst, value, asBool, "neither true nor false")
	case *uint64:
		if i, ok := value.(int64); ok && i < 0 {
			return outOfRange
		}
		return put(dst, value, asUint, "not a whole number")
	case *float64:
		return put(dst, value, asNumber, "not a number")
	case *[]string:
		return put(dst, value, listOf(asText), "not a list of texts")
	case *[]float64:
		return put(dst, value, listOf(asNumber), "not a list of numbers")
	case *Rate:
		if _, ok := asNumber(value); ok {
			return put(dst, value, asRate, outOfRange)
		}
		return put(dst, value, asRate, "not a rate")
	case *Seeds:
		return put(dst, value, asSeeds, "neither a number of seeds nor a list of them")
	case *Layer:
		return put(dst, value, asLayer, "not a layer")
	case *Think:
		return put(dst, value, asThink, "neither true, false nor a level")
	case *Duration:
		return put(dst, value, asDuration, `not a duration such as "90s"`)
	case *Oracles:
		oracles, err := asOracles(value)
		if err != nil {
			return err.Error()
		}
		*dst = oracles
		return ""
	}
	panic("profiles: a field of the schema has a type that convert does not know")
}

func put[T any](dst *T, value any, as func(any) (T, bool), problem string) string {
	v, ok := as(value)
	if !ok {
		return problem
	}
	*dst = v
	return ""
}

func asText(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok
}

func asBool(v any) (bool, bool) {
	b, ok := v.(bool)
	return b, ok
}

func asInt(v any) (int, bool) {
	i, ok := v.(int64)
	return int(i), ok && int64(int(i)) == i
}

func asUint(v any) (uint64, bool) {
	i, ok := v.(int64)
	return uint64(i), ok
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func asRate(v any) (Rate, bool) {
	if s, ok := v.(string); ok {
		return fractionRate(s)
	}
	x, ok := asNumber(v)
	if !ok {
		return Rate{}, false
	}
	return decimalRate(x)
}

// asLayer yields AutoLayer and AllLayers of no number: -1 is out of range, not another name for "auto".
func asLayer(v any) (Layer, bool) {
	switch v {
	case "auto":
		return AutoLayer, true
	case "all":
		return AllLayers, true
	}
	i, ok := asInt(v)
	return Layer(i), ok && i >= 0
}

func listOf[T any](as func(any) (T, bool)) func(any) ([]T, bool) {
	return func(v any) ([]T, bool) {
		raw, ok := v.([]any)
		if !ok {
			return nil, false
		}
		list := make([]T, len(raw))
		for i, x := range raw {
			if list[i], ok = as(x); !ok {
				return nil, false
			}
		}
		return list, true
	}
}
