package profiles

import (
	"fmt"
	"strconv"
	"strings"
)

// Grid is Resolved with the keys of the sweep, its axes in their order: it parses to a profile that asks for the same sweep.
func (p *Profile) Grid() (string, error) {
	seeds, err := p.Sweep.Seeds.MarshalTOML()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n[sweep]\nseeds = %s\n\n[sweep.axes]\n", p.Resolved(), seeds)
	for _, a := range p.Sweep.Axes {
		fmt.Fprintf(&b, "%s = %s\n", strconv.Quote(a.Key), element(a.Values))
	}
	return b.String(), nil
}
