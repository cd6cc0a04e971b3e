package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"verge/runner/event"
)

// Table writes a summary for a person to read, about 100 columns wide where the style has no limit. Rates are in percent with their 95 %
// intervals. Block characters, where the style has them, draw the histograms; all else is ASCII but what names and warnings bring along.
func Table(w io.Writer, s Summary, style Style) error {
	p := &page{style: style}
	rows := slices.Clone(s.Arms)
	if s.Corpus != nil {
		rows = append([]Arm{*s.Corpus}, rows...)
	}
	head(p, s)
	rates(p, s, rows)
	costs(p, rows)
	oracles(p, rows)
	policies(p, s.Arms)
	diversity(p, s.Arms)
	probes(p, s.Arms)
	calibrations(p, s.Arms)
	trainings(p, s.Arms)
	contexts(p, s.Arms)
	histograms(p, s, rows)
	servers(p, s)
	warnings(p, s.Warnings)
	p.WriteString("\nstored in " + clean(s.Dir) + "\n") // whole, so that it can be copied
	return p.print(w)
}

func head(p *page, s Summary) {
	p.prose("run %s   profile %s   recipe %s   domain %s   seed %d", s.Run, clean(s.Profile), clean(s.Recipe), clean(s.Domain), s.Seed)
	p.prose("generator %s   took %s   band %.3g to %.3g of %d attempts",
		clean(s.Model), time.Duration(s.WallS*float64(time.Second)), s.Band.Low, s.Band.High, s.Attempts)
	switch {
	case s.Failed != "":
		p.prose("FAILED: %s", clean(s.Failed))
	case !s.Ended:
		p.prose("NOT FINISHED: the figures are of what there is")
	}
}

func rates(p *page, s Summary, rows []Arm) {
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
	p.grid(1, []string{"", "in band %", "= valid %", "x in band of valid %", "in band, times base"}, cells)
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

func costs(p *page, rows []Arm) {
	var cells [][]string
	for _, a := range rows {
		cells = append(cells, []string{
			clean(a.Name), fmt.Sprint(a.Proposed), fmt.Sprint(a.valid.Clusters()), fmt.Sprint(a.Errors), fmt.Sprint(a.Ungraded),
			fmt.Sprint(a.AttemptsTrain), fmt.Sprint(a.AttemptsEval),
		})
	}
	p.grid(1, []string{"", "proposed", "different", "errors", "ungraded", "attempts to train", "attempts to measure"}, cells)
}

func policies(p *page, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		cells = append(cells, []string{
			clean(a.Name), fmt.Sprint(a.Steps), nats(a.KL, a.PerCue), nats(a.Entropy, a.PerCue), fmt.Sprint(a.Types), orDash(a.TopType), orDash(a.Overlap),
		})
	}
	p.grid(1, []string{"", "steps", "KL, nats", "entropy, nats", "types", "top type", "tasks in corpus"}, cells)
}

// orDash is a share, or a dash where there is none.
func orDash(share *float64) string {
	if share == nil {
		return "-"
	}
	return percent(share)
}

func diversity(p *page, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		if d := a.Diversity; d != nil {
			cells = append(cells, []string{clean(a.Name), number(d.SelfBLEU3), number(d.Distinct3), number(d.Vendi), number(d.EffectiveTypes), fmt.Sprint(d.Sampled)})
		}
	}
	p.grid(1, []string{"diversity", "Self-BLEU-3", "Distinct-3", "Vendi", "effective types", "statements compared"}, cells)
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *v)
}

func histograms(p *page, s Summary, rows []Arm) {
	headings := []string{fmt.Sprintf("right of %d", s.Attempts)}
	if p.style.Blocks {
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
		if p.style.Blocks {
			row = append(row, bars(a.Histogram))
		}
		for _, n := range a.Histogram {
			row = append(row, fmt.Sprint(n))
		}
		cells = append(cells, row)
	}
	p.grid(1, headings, cells)
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

func warnings(p *page, list []event.Warned) {
	var cells [][]string
	for _, w := range list {
		cells = append(cells, []string{clean(w.Code), clean(w.Arm), clean(w.Text)})
	}
	p.grid(2, []string{"warning", "arm", ""}, cells)
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
