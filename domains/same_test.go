package domains

import "testing"

func TestSameStatement(t *testing.T) {
	const statement = "Tom has 3 apples, and buys 1.5 more. How many?"
	for _, other := range []string{statement, "tom has 3 apples and buys 1.5 more: how many", " “Tom has 3  apples,\nand buys 1.5 more. How many?” "} {
		if !SameStatement(statement, other) {
			t.Errorf("%q is another", other)
		}
	}
	for _, other := range []string{"Tom has 3 apples, and buys 15 more. How many?", "Tom has 4 apples, and buys 1.5 more. How many?", ""} {
		if SameStatement(statement, other) {
			t.Errorf("%q is the same", other)
		}
	}
	for _, pair := range [][2]string{{"Add 12 3", "Add 1 23"}, {"Add 12 3", "Add 123"}, {"What is 3!?", "What is 3?"}, {"Add 1, 2, 3.", "Add 12, 3."}, {"What is 12 : 3?", "What is 123?"}} {
		if SameStatement(pair[0], pair[1]) {
			t.Errorf("%q are the same", pair)
		}
	}
	if SameStatement("12 + 7 = ?", "12 - 7 = ?") || SameStatement("(1+2)*3", "1+(2*3)") || !SameStatement("12 + 7 = ?", "12+7=") {
		t.Error("what is calculated counts, and how it is set out does not")
	}
}
