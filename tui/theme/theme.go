// Package theme holds what the workbench looks like: styles by what they mean, and a glyph for every state, so that nothing depends
// on colour alone.
package theme

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Token is what a piece of the screen means.
type Token int

// The tokens. Panes style by these only, never by colours.
const (
	Text    Token = iota // what is read
	Muted                // labels, units, what can be overlooked
	Strong               // headings and the number that matters
	Accent               // keys, the running stage
	Good                 // right, passed, in band
	Bad                  // wrong, refused, failed
	Warn                 // undecided, interrupted, to be looked at
	Focus                // the border of the focused pane
	Border               // of the others
	Select               // the selected row
	Band                 // the wanted interval of solve rates
	Base                 // the series that others are compared with
	SeriesA              // the first series
	SeriesB
	SeriesC
	SeriesD
	tokens
)

// Series are the tokens of series in the order they are used.
var Series = []Token{SeriesA, SeriesB, SeriesC, SeriesD}

// Theme is a set of styles, one a token.
type Theme struct {
	Name   string
	styles [tokens]lipgloss.Style
	heat   []lipgloss.Style
}

// Paint is a line in the style of a token.
func (t *Theme) Paint(k Token, s string) string { return t.styles[k].Render(s) }

// Heat paints a line on the background of a value in 0 … 1.
func (t *Theme) Heat(value float64, s string) string {
	if !(value >= 0) {
		value = 0
	}
	return t.heat[min(len(t.heat)-1, int(value*float64(len(t.heat))))].Render(s)
}

// palette is a theme's colours by token, and those of a heat map from none to all.
type palette struct {
	colours [tokens]string
	heat    []string
	onHeat  [2]string // text on the lower and on the upper half
}

// The colours. Series of the colour-blind theme are of Okabe and Ito's palette, as are good and bad: blue and vermilion.
var palettes = map[string]palette{
	"dark": {
		[tokens]string{Text: "252", Muted: "245", Strong: "231", Accent: "117", Good: "114", Bad: "210", Warn: "221", Focus: "117", Border: "240",
			Select: "231", Band: "150", Base: "250", SeriesA: "117", SeriesB: "215", SeriesC: "183", SeriesD: "114"},
		[]string{"236", "238", "95", "131", "167", "203"}, [2]string{"252", "231"},
	},
	"light": {
		[tokens]string{Text: "235", Muted: "242", Strong: "16", Accent: "25", Good: "22", Bad: "124", Warn: "94", Focus: "25", Border: "248",
			Select: "16", Band: "28", Base: "240", SeriesA: "25", SeriesB: "130", SeriesC: "90", SeriesD: "22"},
		[]string{"255", "254", "224", "217", "210", "203"}, [2]string{"235", "16"},
	},
	"high-contrast": {
		[tokens]string{Text: "15", Muted: "15", Strong: "15", Accent: "14", Good: "10", Bad: "9", Warn: "11", Focus: "11", Border: "15",
			Select: "15", Band: "10", Base: "15", SeriesA: "14", SeriesB: "11", SeriesC: "13", SeriesD: "10"},
		[]string{"0", "0", "1", "1", "9", "9"}, [2]string{"15", "15"},
	},
	"colour-blind": {
		[tokens]string{Text: "252", Muted: "245", Strong: "231", Accent: "#56B4E9", Good: "#56B4E9", Bad: "#D55E00", Warn: "#F0E442", Focus: "#E69F00", Border: "240",
			Select: "231", Band: "#009E73", Base: "250", SeriesA: "#56B4E9", SeriesB: "#E69F00", SeriesC: "#CC79A7", SeriesD: "#009E73"},
		[]string{"#1a1a2e", "#20385c", "#1f5a8c", "#7a7a7a", "#b08a3a", "#E69F00"}, [2]string{"231", "231"},
	},
}

// Names lists the themes in the order that they are cycled through.
func Names() []string { return []string{"dark", "light", "high-contrast", "colour-blind"} }

// New makes a theme by its name, or refuses the name.
func New(name string) (*Theme, error) {
	p, ok := palettes[name]
	if !ok {
		return nil, fmt.Errorf("there is no theme %q; the themes are %s", name, strings.Join(Names(), ", "))
	}
	t := &Theme{Name: name}
	for k := range t.styles {
		t.styles[k] = lipgloss.NewStyle().Foreground(lipgloss.Color(p.colours[k]))
	}
	for _, k := range []Token{Strong, Focus, Select} {
		t.styles[k] = t.styles[k].Bold(true)
	}
	for i, c := range p.heat {
		on := p.onHeat[0]
		if i >= len(p.heat)/2 {
			on = p.onHeat[1]
		}
		t.heat = append(t.heat, lipgloss.NewStyle().Background(lipgloss.Color(c)).Foreground(lipgloss.Color(on)))
	}
	return t, nil
}
