package grade

import (
	"fmt"
	"strings"
)

// matrix reads an environment of rows and columns, in brackets of any kind and perhaps with a factor before it.
func (r *reader) matrix(tokens []token) (reading, bool, error) {
	begin := -1
	for i, t := range tokens {
		if t.kind == commandToken && t.text == "begin" {
			begin = i
			break
		}
	}
	if begin < 0 {
		return nil, false, nil
	}
	value, err := r.matrixFrom(tokens, begin)
	return value, true, err
}

func (r *reader) matrixFrom(tokens []token, begin int) (reading, error) {
	m := matrix{}
	end := len(tokens)
	if begin > 0 && (tokens[begin-1].is("(") || tokens[begin-1].is("[") || tokens[begin-1].is("|")) {
		m.determinant = tokens[begin-1].is("|")
		begin, end = begin-1, end-1
	}
	prefix := tokens[:begin]
	body := tokens[begin:end]
	if end < len(tokens) {
		body = tokens[begin+1 : end]
	}
	n := len(body)
	if n < 5 || body[n-2].text != "end" || body[n-2].kind != commandToken || body[n-1].text != body[1].text {
		return nil, fmt.Errorf("an environment is not closed")
	}
	name := strings.TrimSuffix(body[1].text, "*")
	switch name {
	case "pmatrix", "bmatrix", "Bmatrix", "matrix", "smallmatrix", "array":
	case "vmatrix", "Vmatrix":
		m.determinant = true
	default:
		return nil, fmt.Errorf("the environment %s is not understood", name)
	}
	inside := body[2 : n-2]
	if name == "array" && len(inside) > 0 && inside[0].is("{") {
		for len(inside) > 0 && !inside[0].is("}") {
			inside = inside[1:]
		}
		inside = inside[min(1, len(inside)):]
	}
	var err error
	if m.rows, err = readRows(inside); err != nil {
		return nil, err
	}
	return m.scaled(prefix)
}

func readRows(tokens []token) ([][]*expr, error) {
	lines, _ := splitOn(tokens, func(t token) bool { return t.is(`\\`) })
	if last := len(lines) - 1; last > 0 && len(lines[last]) == 0 {
		lines = lines[:last]
	}
	var rows [][]*expr
	for _, line := range lines {
		cells, _ := splitOn(line, func(t token) bool { return t.is("&") })
		row := make([]*expr, len(cells))
		for i, cell := range cells {
			var err error
			if row[i], err = parseExpr(cell); err != nil {
				return nil, err
			}
		}
		if len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, fmt.Errorf("rows of a matrix have %d and %d columns", len(rows[0]), len(row))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// scaled multiplies every element by the factor before a matrix.
func (m matrix) scaled(prefix []token) (reading, error) {
	if n := len(prefix); n > 0 && prefix[n-1].is("*") {
		prefix = prefix[:n-1]
	}
	if len(prefix) == 0 {
		return m, nil
	}
	if m.determinant {
		return nil, fmt.Errorf("a factor before a determinant")
	}
	factor := integer(-1)
	if len(prefix) != 1 || !prefix[0].is("-") {
		var err error
		if factor, err = parseExpr(prefix); err != nil {
			return nil, err
		}
	}
	for _, row := range m.rows {
		for i := range row {
			row[i] = node(opMul, factor, row[i])
		}
	}
	return m, nil
}
