package math

import (
	"strings"
	"testing"

	"verge/domains"
)

func TestValidStatements(t *testing.T) {
	for _, c := range []struct{ statement, kind, oracle string }{
		{"47+85", Sum, "132"},
		{"-5+3", Sum, "-2"},
		{"47-85", Difference, "-38"},
		{"12*7", Product, "84"},
		{"84/7", Quotient, "12"},
		{"-84/7", Quotient, "-12"},
		{"85%7", Remainder, "1"},
		{"7^3", Power, "343"},
		{"0^5", Power, "0"},
		{"1^999999999", Power, "1"},
		{"12+7-3", Chain, "16"},
		{"12/6*2", Chain, "4"},
		{"12+7*3", Precedence, "33"},
		{"2^3+1", Precedence, "9"},
		{"(12+7)*3", Brackets, "57"},
		{"100-(7+8)", Brackets, "85"},
		{"2^(1+2)", Brackets, "8"},
		{"(2-5)^2", Brackets, "9"},
		{"3x+5=26", Equation, "7"},
		{"26=3x+5", Equation, "7"},
		{"5x-8=2x+1", Equation, "3"},
		{"-x=4", Equation, "-4"},
		{"x^2=0", Equation, "0"},
		{"x^2-6x+9=0", Equation, "3"},
		{"2x^2-5x+2=0", Equation, "2"}, // the other root is 1/2
		{"x^2+x=x^2+4", Equation, "4"},
		{"y=2,x+y=7", System, "5"},
		{"x+y=12,x-y=4", System, "8"},
		{"2x+3y=12,5x-2y=11", System, "3"},
		{"x=3,2x=6", System, "3"},
		{"3,7,11,15,?", Sequence, "19"},
		{"3,6,12,24,?", Sequence, "48"},
		{"1,4,9,16,?", Sequence, "25"},
		{"2,3,5,8,13,?", Sequence, "21"},
		{"5,9,5,9,?", Sequence, "5"},
		{"4,4,4,4,?", Sequence, "4"},
		{"5,-5,5,-5,?", Sequence, "5"},
		{"max(47,85,12)", Comparison, "85"},
		{"max(7,7,3)", Comparison, "7"},
		{"min(4,-9)", Comparison, "-9"},
		{"gcd(12,18)", GCD, "6"},
		{"gcd(0,7)", GCD, "7"},
		{"avg(4,8,12)", Average, "8"},
		{"dsum(4729)", DigitSum, "22"},
		{"3/4of20", Fraction, "15"},
		{"2/6of9", Fraction, "3"},
		{"Ann has 12. She gets 7 more. How many?", StorySum, "19"},
		{"Sam has 12. Sam gets 7 more. How many?", StorySum, "19"},
		{"Ben has 12. He loses 7. How many?", StoryDifference, "5"},
		{"Kim has 3 bags of 5. How many?", StoryProduct, "15"},
		{"Sam shares 20 among 4. How many each?", StoryQuotient, "5"},
		{"99999*9999", Product, "999890001"},
		{"999999999+1", Sum, "1000000000"},
	} {
		task := domains.Task{Statement: c.statement}
		v := Domain{}.Validate(&task)
		if !v.Valid || task.Type != c.kind || task.Oracle != domains.Some(c.oracle) {
			t.Errorf("%q: %+v, type %q, oracle %+v; want %q, %s", c.statement, v, task.Type, task.Oracle, c.kind, c.oracle)
		}
	}
}

func TestInvalidStatements(t *testing.T) {
	for reason, statements := range map[string][]string{
		MissingInformation: {
			"12+?", "?*?", "max()", "max(5)", "max(5,?)", "?/4of20", "42", "-7", "x", "x+y=7", "3x+5", "3x+?=5", "y=3", "2+2=4", "2*2=4", "2x+3y=12,4x+6y=24",
			"3,7,11,15", "Ann has some. She gets 7 more. How many?", "Ann has 12. How many?", "Ann has 12. She gets 7 more.", "x^2+y=4",
		},
		Contradiction: {
			"x=3,2x=8", "x+2=5,x=9", "x+y=7,x+y=8", "x+y=3,x-y=1,x=9", "2+2=5", "2*3=7", "Ann has 5. She loses 7. How many?",
		},
		NoSolution: {
			"0x=5", "x=x+1", "84/0", "84%0", "7/2", "7/2*2", "2x=7", "x+y=7,x-y=2", "x=4,2y=3", "0^0", "2^(1-3)", "x^2=8", "x^2=-4", "avg(1,2)", "1/3of10", "1/0of10",
			"gcd(0,0)", "3,8,1,9,?", "Sam shares 20 among 3. How many each?", "Sam shares 20 among 0. How many each?",
		},
		Ambiguous: {
			"x^2=9", "x=x", "2,4,?", "1,2,3,?", "2,3,5,8,?", "2^3^2", "-3^2", "-7%3", "7%(2-5)", "Ann has 12. He gets 7 more. How many?",
			"Ann has 12. Ben loses 7. How many?",
		},
		NotGradable: {
			"why is 7 odd?", "prove 2+2=4", "explain 7*8", "draw 12", "99999*99999", "99^9", "2^999999999", "999999999+2", "x^2=9,x+y=4",
			"999999999x+999999999x=0", "900,90000,9000000,900000000,?", "Ann has 5. She loses 7. Why?",
		},
		Malformed: {
			"", " ", " 1+2", "1+2 ", "1 + 2", "12++", "12+-7", "--5", "+5", "(3+4", "3+4)", "()", "(3)+4", "((3+4))*2", "(3+4)", "047+5", "-0+5", "12+?=19",
			"1+2\n", "1+2\x00", "é+1", "47+85=", "=", "x=", "3x+5=26,", "x3=9", "2.5+1", "1234567890+1", "max(1,2", "max(1,)", "max 1,2", "dsum(1,2)", "dsum(-5)",
			"lcm(4,6)", "3/4 of 20", "1,2,?,4", "?,1", "1,2,3,4,?,?", "hello", "Ann", "Ann has 012. She gets 7 more. How many?", "Bob has 12. He gets 7 more. How many?",
			"Sam shares 20 among 4. How many?", strings.Repeat("1+", 32) + "1", "7>5",
		},
	} {
		for _, s := range statements {
			task := domains.Task{Statement: s}
			v := Domain{}.Validate(&task)
			if v.Valid || v.Reason != reason || v.Detail == "" {
				t.Errorf("%q: %+v, want %s", s, v, reason)
			}
			if task.Type != "" || task.Oracle.Known || task.Features != nil {
				t.Errorf("%q is invalid, and is filled in as %+v", s, task)
			}
		}
	}
}

func TestFeatures(t *testing.T) {
	task := domains.Task{Statement: "347-485"}
	Domain{}.Validate(&task)
	want := map[string]float64{
		"bytes": 7, "numbers": 2, "digits": 6, "longest_number": 3, "operations": 1, "lines": 4, "carries": 1, "answer_digits": 3, "negative": 1,
	}
	for name, v := range want {
		if task.Features[name] != v {
			t.Errorf("%s is %v, want %v", name, task.Features[name], v)
		}
	}
	if len(task.Features) != len(want) {
		t.Errorf("the features are %v", task.Features)
	}
}

func TestSkeleton(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"47+85", "46+85", true},
		{"47+85", "4+8", false},
		{"47+5", "5+47", true},
		{"47-5", "5-47", false},
		{"12*345", "678*90", true},
		{"max(1,22)", "max(33,4)", true},
		{"max(1,22)", "min(33,4)", false},
		{"Ann has 12. She gets 7 more. How many?", "Ben has 34. He gets 5 more. How many?", true},
		{"Ann has 12. She gets 7 more. How many?", "Ann has 12. She loses 7. How many?", false},
		{"12+?", "34+?", true},
		{"84/7", "84/5", false}, // the second is not valid
	} {
		a, b := Domain{}.Skeleton(domains.Task{Statement: c.a}), Domain{}.Skeleton(domains.Task{Statement: c.b})
		if (a == b) != c.same {
			t.Errorf("%q and %q have the skeletons %q and %q", c.a, c.b, a, b)
		}
	}
}
