package profiles

import "reflect"

// CheckFlag says what is wrong with the value of a command line's flag that stands for a key, such as --seeds for sweep.seeds, in terms of
// the flag. Load says it in terms of --set. The error is an *Error.
func CheckFlag(flag, key, value string) error {
	refuse := func(problem, fix string) error { return &Error{Place: flag + " " + value, Problem: problem, Fix: fix} }
	e := parseSet(key + "=" + value)
	if e.err != nil {
		return refuse(e.err.Problem, e.err.Fix)
	}
	field := reflect.New(reflect.TypeOf(keys[key]).Elem())
	if problem := store(field.Interface(), e.value, rules[key]); problem != "" {
		return refuse(problem, "allowed: "+rules[key].allowed)
	}
	return nil
}
