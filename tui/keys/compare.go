package keys

// Comparison is the scope of a comparison.
const Comparison Scope = "comparison"

// The actions of a comparison.
const (
	NextPart Action = "next-part"
	LeftArm  Action = "left-arm"
	RightArm Action = "right-arm"
	Swap     Action = "swap"
)

var comparison = Table{
	{Comparison, Open, []string{"enter"}, "open", "Show the attempts of both sides at the selected task", true},
	{Comparison, NextPart, []string{"tab"}, "next list", "Go on to the other list: tasks that flipped, settings that differ", true},
	{Comparison, LeftArm, []string{"a"}, "arm of A", "Look at the next arm on the side A", true},
	{Comparison, RightArm, []string{"A"}, "arm of B", "Look at the next arm on the side B", true},
	{Comparison, Swap, []string{"x"}, "swap", "Swap the sides", false},
	{Comparison, Next, []string{"n"}, "next", "Go to the next task of the list", false},
	{Comparison, Previous, []string{"p"}, "previous", "Go to the task before", false},
}
