package keys

// Walkthrough is the scope of a walkthrough's pages.
const Walkthrough Scope = "walkthrough"

// Restart begins a walkthrough anew.
const Restart Action = "restart"

var walkthrough = Table{
	{Walkthrough, Next, []string{"right", "enter", " ", "n"}, "go on", "Show the question, then its answer, then the next page", true},
	{Walkthrough, Previous, []string{"left", "p"}, "go back", "Go back to what was shown before", true},
	{Walkthrough, StepProposal, []string{"s"}, "step", "Let the run make its next proposal, or attempt the next task", true},
	{Walkthrough, Open, []string{"o"}, "panes", "Show the panes of the walkthrough's run", true},
	{Walkthrough, Restart, []string{"R"}, "restart", "Begin anew with a new run; the old one stays among the runs", false},
}
