package math

// features describes a valid statement: what its length, operands and operations make of its difficulty.
func features(statement string, p parsed) map[string]float64 {
	var numbers, digits, longest int
	run := 0
	for i := range len(statement) {
		if !isDigit(statement[i]) {
			run = 0
			continue
		}
		if run == 0 {
			numbers++
		}
		run++
		digits++
		longest = max(longest, run)
	}
	work := p.question.work()
	negative := 0.0
	if p.answer < 0 {
		negative = 1
	}
	return map[string]float64{
		"bytes":          float64(len(statement)),
		"numbers":        float64(numbers),
		"digits":         float64(digits),
		"longest_number": float64(longest),
		"operations":     float64(p.question.operations()),
		"lines":          float64(len(work)), // of a worked solution
		"carries":        float64(carries(work)),
		"answer_digits":  float64(len(decimal(magnitude(p.answer)))),
		"negative":       negative,
	}
}
