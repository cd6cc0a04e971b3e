package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"verge/runner/event"
)

// Table writes a summary for a person to read, about 100 columns wide. Rates are in percent with their 95 % intervals.
// blocks draws the histograms with block characters, which a terminal that is not UTF-8 cannot show; all else is ASCII
// but what names and warnings bring along.
func Table(w io.Writer, s Summary, blocks bool) error {
	var b bytes.Buffer
	rows := slices.Clone(s.Arms)
	if s.Corpus != nil {
		rows = append([]Arm{*s.Corpus}, rows...)
	}
	head(&b, s)
	rates(&b, s, rows)
	costs(&b, rows)
	policies(&b, s.Arms)
	diversity(&b, s.Arms)
	probes(&b, s.Arms)
	calibrations(&b, s.Arms)
	trainings(&b, s.Arms)
	histograms(&b, s, rows, blocks)
	warnings(&b, s.Warnings)
	fmt.Fprintf(&b, "\nstored in %s\n", clean(s.Dir))
	_, err := w.Write(b.Bytes())
	return err
}

func head(b *bytes.Buffer, s Summary) {
	fmt.Fprintf(b, "run %s   profile %s   recipe %s   domain %s   seed %d\n", s.Run, clean(s.Profile), clean(s.Recipe), clean(s.Domain), s.Seed)
	fmt.Fprintf(b, "generator %s   took %s   band %.3g to %.3g of %d attempts\n",
		clean(s.Model), time.Duration(s.WallS*float64(time.Second)), s.Band.Low, s.Band.High, s.Attempts)
	switch {
	case s.Failed != "":
		fmt.Fprintf(b, "FAILED: %s\n", clean(s.Failed))
	case !s.Ended:
		fmt.Fprintln(b, "NOT FINISHED: the figures are of what there is")
	}
}

// grid is a section of aligned columns, a row of headings first.
func grid(b *bytes.Buffer, headings []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	var aligned bytes.Buffer
	t := tabwriter.NewWriter(&aligned, 0, 0, 3, ' ', 0)
	for _, cells := range append([][]string{headings}, rows...) {
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	t.Flush() // a buffer takes everything
	b.WriteString("\n")
	for line := range strings.Lines(aligned.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func rates(b *bytes.Buffer, s Summary, rows []Arm) {
	base := s.base()
	var cells [][]string
	for i, a := range rows {
		compared := ""
		if corpus := s.Corpus != nil && i == 0; base != nil && a.Name != base.Name && !corpus {
			compared = times(a.inBand.Times(base.inBand))
			if a.base != nil {
				compared = times(a.inBand.Times(*a.base)) + " its own"
			}
		}
		cells = append(cells, []string{clean(a.Name), share(a.inBand), share(a.valid), share(a.inBandGivenValid), compared})
	}
	grid(b, []string{"", "in band %", "= valid %", "x in band of valid %", "in band, times base"}, cells)
}

// share is a rate and its interval in percent.
func share(r event.Rate) string {
	v, ok := r.Value()
	if !ok {
		return "-"
	}
	text := fmt.Sprintf("%5.1f", 100*v)
	if low, high, ok := r.Interval(); ok {
		text += fmt.Sprintf(" [%.1f, %.1f]", 100*low, 100*high)
	}
	return text
}

func times(value float64, low, high *float64, ok bool) string {
	if !ok {
		return "-"
	}
	text := fmt.Sprintf("%.2f", value)
	if low != nil && high != nil {
		text += fmt.Sprintf(" [%.2f, %.2f]", *low, *high)
	}
	return text
}

func costs(b *bytes.Buffer, rows []Arm) {
	var cells [][]string
	for _, a := range rows {
		cells = append(cells, []string{
			clean(a.Name), fmt.Sprint(a.Proposed), fmt.Sprint(a.valid.Clusters()), fmt.Sprint(a.Errors), fmt.Sprint(a.Ungraded),
			fmt.Sprint(a.AttemptsTrain), fmt.Sprint(a.AttemptsEval),
		})
	}
	grid(b, []string{"", "proposed", "different", "errors", "ungraded", "attempts to train", "attempts to measure"}, cells)
}

func policies(b *bytes.Buffer, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		cells = append(cells, []string{
			clean(a.Name), fmt.Sprint(a.Steps), number(a.KL), number(a.Entropy), fmt.Sprint(a.Types), percent(a.TopType), orDash(a.Overlap),
		})
	}
	grid(b, []string{"", "steps", "KL, nats", "entropy, nats", "types", "top type", "tasks in corpus"}, cells)
}

// orDash is a share, or a dash where there is none.
func orDash(share *float64) string {
	if share == nil {
		return "-"
	}
	return percent(share)
}

func diversity(b *bytes.Buffer, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		if d := a.Diversity; d != nil {
			cells = append(cells, []string{clean(a.Name), number(d.SelfBLEU3), number(d.Distinct3), number(d.Vendi), number(d.EffectiveTypes), fmt.Sprint(d.Sampled)})
		}
	}
	grid(b, []string{"diversity", "Self-BLEU-3", "Distinct-3", "Vendi", "effective types", "statements compared"}, cells)
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *v)
}

func histograms(b *bytes.Buffer, s Summary, rows []Arm, blocks bool) {
	headings := []string{fmt.Sprintf("right of %d", s.Attempts)}
	if blocks {
		headings = append(headings, "")
	}
	for c := range s.Attempts + 1 {
		mark := ""
		if s.Band.Holds(c, s.Attempts) {
			mark = "*"
		}
		headings = append(headings, fmt.Sprintf("%d%s", c, mark))
	}
	var cells [][]string
	for _, a := range rows {
		row := []string{clean(a.Name)}
		if blocks {
			row = append(row, bars(a.Histogram))
		}
		for _, n := range a.Histogram {
			row = append(row, fmt.Sprint(n))
		}
		cells = append(cells, row)
	}
	grid(b, headings, cells)
}

// bars draws a histogram a block a bin, the fullest bin full; an empty bin is a dot, so that no bin is mistaken for it.
func bars(histogram []int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	most := slices.Max(histogram)
	var b strings.Builder
	for _, n := range histogram {
		if n == 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(levels[(n*len(levels)-1)/most])
	}
	return b.String()
}

func warnings(b *bytes.Buffer, list []event.Warned) {
	var cells [][]string
	for _, w := range list {
		cells = append(cells, []string{clean(w.Code), clean(w.Arm), clean(w.Text)})
	}
	grid(b, []string{"warning", "arm", ""}, cells)
}

// clean keeps what profiles and models wrote from steering the terminal or the columns.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}
