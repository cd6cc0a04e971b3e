package profiles

// Listing is an embedded profile as a list shows it.
type Listing struct {
	Name        string
	Title       string
	Description string
}

// List lists the embedded profiles, sorted by name.
func List() []Listing {
	var list []Listing
	for _, name := range shippedNames() {
		p, err := Load(name, nil)
		if err != nil {
			panic("profiles: an embedded profile does not load: " + err.Error())
		}
		list = append(list, Listing{name, p.Title, p.Description})
	}
	return list
}
