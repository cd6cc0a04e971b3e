package diversity

// distinct counts the n-grams of all statements, and how many different ones there are: Distinct-n (Li et al., arXiv 1510.03055) is their
// ratio.
func distinct(statements [][]string, n int) (different, all int) {
	seen := map[string]bool{}
	for _, s := range statements {
		for gram, c := range ngrams(s, n) {
			seen[gram] = true
			all += c
		}
	}
	return len(seen), all
}
