package walkthrough

import (
	"fmt"
	"math"
	"strings"

	"verge/profiles"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/text"
	"verge/tui/theme"
)

// probe is the probe that rewards arm propel, nil before it is trained.
func (v view) probe() *event.ProbeTrained {
	if len(v.Probes) == 0 {
		return nil
	}
	return &v.Probes[0]
}

func probeFormula(v view) []string {
	p := v.probe()
	if p == nil {
		return []string{"logit = w · h(task) + b      h: hidden states of one layer"}
	}
	return []string{
		fmt.Sprintf("logit = w · h(task) + b      h: layer %d, %s of the tokens", p.Layer, p.Pooling),
		fmt.Sprintf("trained on %s tasks, %s of them in band, in %d folds", figure.Count(p.Tasks), figure.Count(p.InBand), p.Folds),
		fmt.Sprintf("AUROC %s   balanced accuracy %s   ECE %s   RVP %s", v.strong("%s", figure.Number(p.Quality.AUROC, 3)), figure.Number(p.Quality.BalancedAccuracy, 3),
			figure.Number(p.Quality.ECE, 3), v.strong("%s", figure.Number(p.Quality.RVP, 3))),
	}
}

func probeDeciles(v view, width, height int) []string {
	p := v.probe()
	if p == nil {
		return []string{v.muted("the probe is trained and cross-validated …")}
	}
	deciles, name := p.Deciles, "tenth"
	if height < len(deciles)+1 {
		deciles, name = pairs(deciles), "fifth"
	}
	lines := []string{v.muted(name + ", from score      in band of its tasks")}
	for i, d := range deciles {
		full := (40*d.InBand + d.Tasks/2) / max(1, d.Tasks)
		lines = append(lines, fmt.Sprintf("%8d %s       %s %s of %d", i+1, v.muted(fmt.Sprintf("%6.2f", d.Low)), v.Theme.Paint(theme.Band, strings.Repeat("█", full)), figure.Percent(figure.Share(d.InBand, d.Tasks)), d.Tasks))
	}
	return lines[:min(len(lines), height)]
}

// pairs are neighbours taken together.
func pairs(deciles []event.Decile) []event.Decile {
	var out []event.Decile
	for i := 0; i+1 < len(deciles); i += 2 {
		a, b := deciles[i], deciles[i+1]
		out = append(out, event.Decile{Low: a.Low, High: b.High, Tasks: a.Tasks + b.Tasks, InBand: a.InBand + b.InBand})
	}
	return out
}

// invalid is the reward of an invalid task, as the run's profile has it.
func (v view) invalid() float64 {
	if v.asked == nil {
		return math.NaN()
	}
	return v.asked.Policy.InvalidReward
}

// group is the first group of the first update and its rewards.
func (v view) group() (tasks []board.Task, rewards []float64) {
	if v.asked == nil {
		return nil, nil
	}
	for _, t := range v.batch(v.asked.Policy.Group) {
		if t.Failed != "" {
			continue // it has no reward
		}
		if t.Valid && !t.Scored || !t.Validated {
			return nil, nil // still to come
		}
		reward := v.invalid()
		if t.Valid {
			reward = t.Logit
		}
		tasks, rewards = append(tasks, t), append(rewards, reward)
	}
	return tasks, rewards
}

func rewardFormula(v view) []string {
	bad := "r_bad"
	if v.asked != nil {
		bad = fmt.Sprint(v.invalid())
	}
	return []string{"r(task) = logit of the probe   if W(task) = 1,   else " + v.strong("%s", bad)}
}

func rewards(v view, width, height int) []string {
	tasks, rewards := v.group()
	if len(tasks) == 0 {
		return []string{v.muted("the policy, still the base itself, proposes its first batch …")}
	}
	lines := []string{v.muted("the first group                                   reward")}
	for i, t := range tasks {
		why := ""
		if !t.Valid {
			why = v.muted("  invalid")
		}
		lines = append(lines, statement(t, 46)+fmt.Sprintf(" %9.3f", rewards[i])+why)
	}
	return lines[:min(len(lines), height)]
}

func grpo(v view) []string {
	lines := []string{"A_i = (r_i − mean) / (s + 1e-6)     loss = −Σ A_i log π(task_i) + β KL"}
	if _, r := v.group(); len(r) > 1 {
		mean, sd, _ := advantages(r)
		lines = append(lines, fmt.Sprintf("mean = %s   s = %s (with n − 1)   β = %s", v.strong("%.3f", mean), v.strong("%.3f", sd), v.strong("%g", v.asked.Policy.KL)))
	}
	return lines
}

func groupAdvantages(v view, width, height int) []string {
	tasks, r := v.group()
	if len(r) < 2 {
		return nil
	}
	_, _, a := advantages(r)
	lines := []string{v.muted("the first group                                   reward  advantage")}
	for i, t := range tasks {
		token := theme.Good
		if a[i] < 0 {
			token = theme.Bad
		}
		lines = append(lines, statement(t, 46)+fmt.Sprintf(" %9.3f  ", r[i])+v.Theme.Paint(token, fmt.Sprintf("%+9.3f", a[i])))
	}
	return lines[:min(len(lines), height)]
}

func trainingFigures(v view) []string {
	arm := v.Arm("propel")
	if arm == nil || len(arm.Curve) == 0 {
		return []string{v.muted("the first update is made …")}
	}
	first, last := arm.Curve[0], arm.Curve[len(arm.Curve)-1]
	return []string{
		fmt.Sprintf("update %s   reward %.2f → %s   valid %d → %s of %d", v.strong("%d", last.Step), first.Reward, v.strong("%.2f", last.Reward), first.Valid, v.strong("%d", last.Valid), last.Proposals),
		fmt.Sprintf("KL %s and entropy %.2f → %.2f in nats a token   dead groups %d of %d", v.strong("%.3f", last.KL), first.Entropy, last.Entropy, last.Dead, last.Groups),
		fmt.Sprintf("attempts of the solver: %s", figure.Count(arm.Train.Attempts)),
	}
}

func trainingCurves(v view, width, height int) []string {
	arm := v.Arm("propel")
	if arm == nil || len(arm.Curve) == 0 {
		return nil
	}
	x, reward, kl := make([]float64, len(arm.Curve)), make([]float64, len(arm.Curve)), make([]float64, len(arm.Curve))
	for i, u := range arm.Curve {
		x[i], reward[i], kl[i] = float64(u.Step), u.Reward, u.KL
	}
	left := chart.Line{Series: []chart.Series{{Name: "reward", Token: theme.SeriesA, X: x, Y: reward}}, X: "update"}
	right := chart.Line{Series: []chart.Series{{Name: "KL, nats", Token: theme.SeriesB, Stroke: chart.Dashed, X: x, Y: kl}}, X: "update"}
	if v.asked != nil && v.asked.Policy.MaxKL > 0 {
		right.Limit = &chart.Limit{Name: "policy.max_kl", Value: v.asked.Policy.MaxKL}
	}
	half := max(0, (width-3)/2)
	a, b := left.Draw(v.Theme, half, height), right.Draw(v.Theme, half, height)
	lines := make([]string, min(len(a), len(b)))
	for i := range lines {
		lines[i] = a[i] + "   " + b[i]
	}
	return lines
}

func corpusHistogram(v view, width, height int) []string {
	if v.Run == nil {
		return nil
	}
	return v.histogram("corpus", v.Corpus.Histogram, nil, width, height)
}

func outcomeHistogram(v view, width, height int) []string {
	base, arm := v.Arm("base"), v.Arm("propel")
	if base == nil || arm == nil || arm.Evaluated == nil {
		return nil
	}
	return v.histogram("propel", arm.Eval.Histogram, base.Eval.Histogram, width, height)
}

func (v view) histogram(name string, counts, base []int, width, height int) []string {
	h := chart.Histogram{Name: name, BaseName: "base", Y: "tasks"}
	for right, n := range counts {
		h.Labels = append(h.Labels, fmt.Sprint(right))
		h.Marked = append(h.Marked, v.Band().Holds(right, v.Run.Attempts))
		h.Values = append(h.Values, float64(n))
	}
	for _, n := range base {
		h.Base = append(h.Base, float64(n))
	}
	return append(h.Draw(v.Theme, width, height-1), v.muted(fmt.Sprintf("right of %s attempts", v.k())))
}

func outcome(v view) []string {
	var lines, tops []string
	for _, name := range []string{"base", "propel"} {
		a := v.Arm(name)
		if a == nil || a.Evaluated == nil {
			return []string{v.muted("the trained generator proposes, and the solver attempts …")}
		}
		lines = append(lines, factors(v, a))
		tops = append(tops, name+" "+figure.Percent(figure.Defined(a.Eval.TopType())))
	}
	return append(lines, "most frequent type: "+strings.Join(tops, ", "))
}

// weight says what holds a policy to its base.
func weight(p profiles.Policy) string {
	if p.MaxKL == 0 {
		return fmt.Sprintf("β = %g, KL not limited", p.KL)
	}
	return fmt.Sprintf("β = %g, ends past KL %g", p.KL, p.MaxKL)
}

func bothEndsTable(v view, width, height int) []string {
	lines := []string{v.muted(fmt.Sprintf("%-25s %-20s %-8s %-8s %s", "weight of the KL", "in band", "top type", "KL, nats", ""))}
	row := func(name string, b *board.Snapshot, standing string) {
		in, top, kl := figure.Unknown, figure.Unknown, figure.Unknown
		if a := b.Arm("propel"); a != nil && a.Evaluated != nil {
			in, top = figure.Rate(a.Eval.InBandRate()), figure.Percent(figure.Defined(a.Eval.TopType()))
			if a.Measured != nil {
				kl = figure.Number(&a.Measured.KL, 3)
			}
		}
		lines = append(lines, fmt.Sprintf("%-25s %-20s %-8s %-8s %s", name, in, top, kl, v.muted(standing)))
	}
	own := "this run"
	if v.asked != nil {
		own = weight(v.asked.Policy)
	}
	row(own, v.Snapshot, "")
	for _, e := range v.Ends {
		standing := theme.Done
		if e.board.Ended == nil {
			standing = theme.Running
			if stage := e.status.Progress.Stage; stage != "" {
				standing += " " + text.Safe(stage)
			}
		}
		row(weight(profiles.Policy{KL: e.kl}), e.board, standing)
	}
	if len(v.Ends) < len(bothEnds) {
		lines = append(lines, v.muted(theme.Waiting+" the others begin when this one has ended"))
	}
	return lines[:min(len(lines), height)]
}
