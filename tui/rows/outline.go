package rows

// Outline is a list of which some rows begin a group and have a heading above them. Its zero value is ready.
type Outline struct {
	Cursor
	window Cursor // over the lines, headings among them
}

// Line is a row of an outline, or the heading above it.
type Line struct {
	Row     int
	Heading bool
}

// Lines is what is in sight of n rows in height lines, the selected row among it.
func (o *Outline) Lines(n, height int, begins func(row int) bool) []Line {
	o.Sight(n, height)
	all := make([]Line, 0, n)
	for i := range n {
		if begins(i) {
			all = append(all, Line{i, true})
		}
		if i == o.At {
			o.window.At = len(all)
		}
		all = append(all, Line{i, false})
	}
	from, to := o.window.Sight(len(all), height)
	if from == 1 && from == o.window.At && to-from > 1 {
		from, to = 0, to-1 // the first row, with its heading
	}
	return all[from:to]
}
