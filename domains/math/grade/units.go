package grade

import "strings"

// unitTable lists the units that may follow a number in plain letters: the name that stands for each, then what else it is called.
var unitTable = []string{
	"mm millimeter millimetre", "cm centimeter centimetre", "dm decimeter decimetre", "m meter metre", "km kilometer kilometre",
	"in inch inches", "ft foot feet", "yd yard", "mi mile", "nm", "μm",
	"mg milligram", "g gram", "kg kilogram kilo", "lb pound lbs", "oz ounce", "t ton tonne",
	"ms millisecond", "s second sec secs", "min minute mins", "h hour hr hrs", "day", "week wk", "month", "year yr yrs",
	"ml milliliter millilitre mL", "cl", "L liter litre l", "gal gallon", "qt quart", "pt pint", "cup",
	"mph", "kmh kph", "rpm", "rad radian", "° degree deg", "Hz", "kHz", "MHz", "kW", "W watt", "J joule", "kJ", "N newton", "V volt", "K kelvin",
	"Pa pascal", "kPa", "kcal", "cal", "mol mole", "cent ¢", "$ dollar buck USD", "€ euro EUR", "£ GBP", "unit", "am a.m", "pm p.m",
	"person people", "man men", "woman women", "child children",
}

// unitNames maps every name of a unit to the one that stands for it.
var unitNames = func() map[string]string {
	names := map[string]string{}
	for _, line := range unitTable {
		fields := strings.Fields(line)
		for _, name := range fields {
			names[name] = fields[0]
			if len(name) > 2 {
				names[name+"s"] = fields[0]
				names[strings.ToUpper(name[:1])+name[1:]] = fields[0]
			}
		}
	}
	return names
}()

// spacedUnits are units that read as products of variables where no blank separates them from the number.
var spacedUnits = wordSet("ms pt cl qt mi nm mg ml dm")

// unitName is the name that stands for a unit. A unit of no table stands for itself, in lower case and without a plural s.
func unitName(word string) string {
	if name := unitNames[word]; name != "" {
		return name
	}
	lower := strings.ToLower(word)
	if name := unitNames[lower]; name != "" && len(word) > 2 {
		return name
	}
	if len(lower) > 3 && strings.HasSuffix(lower, "s") && !strings.HasSuffix(lower, "ss") {
		return strings.TrimSuffix(lower, "s")
	}
	if len(word) <= 2 {
		return word
	}
	return lower
}
