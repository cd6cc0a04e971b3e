package keys

// The scopes of home, of a profile's page and of its values.
const (
	Profile Scope = "profile"
	Values  Scope = "values"
)

// The actions of these.
const (
	NextList     Action = "next-list"
	PreviousList Action = "previous-list"
	StartRun     Action = "start-run"
	EditValues   Action = "edit-values"
	StartSweep   Action = "start-sweep"
	ResumeRun    Action = "resume-run"
	ReplayRun    Action = "replay-run"
	Mark         Action = "mark"
	Compare      Action = "compare"
	Annotate     Action = "annotate"
	Delete       Action = "delete"

	ResetValue Action = "reset-value"
	ResetAll   Action = "reset-all"
)

var home = Table{
	{Home, Open, []string{"enter"}, "open", "Open the selected run, profile or sweep", true},
	{Home, NextList, []string{"tab"}, "next list", "Go on to the next list: profiles, runs, sweeps", true},
	{Home, PreviousList, []string{"shift+tab"}, "previous list", "Go back to the list before", false},
	{Home, StartRun, []string{"s"}, "start", "Start a run of the selected profile", true},
	{Home, EditValues, []string{"e"}, "values", "Change the selected profile's values, then start it", true},
	{Home, StartSweep, []string{"S"}, "sweep", "Sweep the selected profile: ask for axes and seeds, then start it or go on with it", true},
	{Home, ResumeRun, []string{"r"}, "resume", "Go on with the selected run, which was interrupted or has failed", true},
	{Home, ReplayRun, []string{"w"}, "replay", "Watch the selected run again from its start", true},
	{Home, Mark, []string{"m"}, "mark", "Mark the selected run to compare others with it, or unmark it", false},
	{Home, Compare, []string{"c"}, "compare", "Compare the marked run with the selected one, or the arms of one run", false},
	{Home, Annotate, []string{"T"}, "tags", "Give the selected run tags and a note", false},
	{Home, Delete, []string{"D"}, "delete", "Delete the selected run, or the selected sweep with all its runs, after a question", false},
	{Home, Filter, []string{"/"}, "filter", "Show only what contains a text, in any of its columns, tags or note", true},
	{Home, Sort, []string{"o"}, "order", "Order by age, by state or by headline figure", false},

	{Profile, StartRun, []string{"s"}, "start", "Start a run of the profile", true},
	{Profile, EditValues, []string{"e"}, "values", "Change the profile's values, then start it", true},
	{Profile, StartSweep, []string{"S"}, "sweep", "Sweep the profile: ask for axes and seeds, then start it or go on with it", true},

	{Values, Open, []string{"enter"}, "change", "Type another value for the selected key", true},
	{Values, ResetValue, []string{"u"}, "reset", "Give the selected key its value in the profile back", true},
	{Values, ResetAll, []string{"U"}, "reset all", "Give every key its value in the profile back", false},
	{Values, StartRun, []string{"s"}, "start", "Start a run with these values", true},
	{Values, StartSweep, []string{"S"}, "sweep", "Sweep the profile with these values: ask for axes and seeds, then start it", true},
	{Values, Filter, []string{"/"}, "filter", "Show only keys that contain a text, in name or meaning", true},
}
