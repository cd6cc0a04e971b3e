package grade

import "strings"

// glyphs spells characters outside ASCII the LaTeX way.
var glyphs = strings.NewReplacer(
	"−", "-", "–", "-", "—", "-", "‐", "-", "‑", "-", "⁻", "^-",
	"×", `\times `, "·", `\cdot `, "⋅", `\cdot `, "∙", `\cdot `, "÷", `\div `, "∕", "/", "⁄", "/",
	"≤", `\le `, "≥", `\ge `, "⩽", `\le `, "⩾", `\ge `, "≠", `\ne `, "≈", `\approx `, "±", `\pm `, "∓", `\mp `,
	"∪", `\cup `, "∩", `\cap `, "∈", `\in `, "∖", `\setminus `, "∅", `\emptyset `, "∞", `\infty `,
	"π", `\pi `, "θ", `\theta `, "α", `\alpha `, "β", `\beta `, "γ", `\gamma `, "λ", `\lambda `, "φ", `\phi `, "ω", `\omega `,
	"°", `^\circ `, "√", `\sqrt `, "ℝ", `\mathbb{R}`, "…", `\ldots `, "⟨", `\langle `, "⟩", `\rangle `,
	"½", `\frac{1}{2}`, "⅓", `\frac{1}{3}`, "⅔", `\frac{2}{3}`, "¼", `\frac{1}{4}`, "¾", `\frac{3}{4}`,
	"⅕", `\frac{1}{5}`, "⅖", `\frac{2}{5}`, "⅗", `\frac{3}{5}`, "⅘", `\frac{4}{5}`, "⅙", `\frac{1}{6}`, "⅚", `\frac{5}{6}`,
	"⅛", `\frac{1}{8}`, "⅜", `\frac{3}{8}`, "⅝", `\frac{5}{8}`, "⅞", `\frac{7}{8}`,
	"⁰", "^0", "¹", "^1", "²", "^2", "³", "^3", "⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8", "⁹", "^9",
	"₀", "_0", "₁", "_1", "₂", "_2", "₃", "_3", "₄", "_4", "₅", "_5", "₆", "_6", "₇", "_7", "₈", "_8", "₉", "_9",
	"’", "'", "′", "'", "‘", "'", "“", `"`, "”", `"`, "％", "%",
	"\u00a0", " ", "\u2009", " ", "\u202f", " ", "\u200b", "", "\ufeff", "", "\t", " ", "\n", " ", "\r", " ",
)

// commandMarks are the commands that stand for a mark.
var commandMarks = map[string]string{
	"times": "*", "cdot": "*", "ast": "*", "div": "/", "pm": "±", "mp": "∓",
	"le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "lt": "<", "gt": ">",
	"ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "cup": "∪", "cap": "∩", "setminus": "∖", "backslash": "∖",
	"emptyset": "∅", "varnothing": "∅", "infty": "∞", "infin": "∞", "circ": "°", "degree": "°",
	"lbrace": `\{`, "rbrace": `\}`, "{": `\{`, "}": `\}`, "%": "%", "$": "$", "&": "and", "#": "#", "_": "_",
	"lvert": "|", "rvert": "|", "vert": "|", "|": "‖", "mid": "∣", "colon": ":", "lbrack": "[", "rbrack": "]",
	"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩",
	"ldots": "…", "dots": "…", "cdots": "…", "dotsc": "…", "dotsb": "…", "vdots": "…", "ddots": "…",
	"wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "prime": "'", "implies": "⇒", "Rightarrow": "⇒", "to": "→", "rightarrow": "→",
}

// silentCommands set type and space, and mean nothing.
var silentCommands = map[string]bool{
	"left": true, "right": true, "big": true, "Big": true, "bigg": true, "Bigg": true, "bigl": true, "bigr": true, "Bigl": true, "Bigr": true,
	"biggl": true, "biggr": true, "displaystyle": true, "textstyle": true, "limits": true, "quad": true, "qquad": true, "thinspace": true,
	",": true, "!": true, ";": true, ":": true, " ": true, ">": true, "(": true, ")": true, "[": true, "]": true, "/": true,
	"hspace": true, "vspace": true, "phantom": true, "hfill": true, "boldsymbol": true, "bm": true,
}

// proseCommands hold text, fontCommands hold mathematics in another type.
var (
	proseCommands = map[string]bool{"text": true, "mbox": true, "textbf": true, "textit": true, "textrm": true, "textnormal": true, "textsf": true, "hbox": true}
	fontCommands  = map[string]bool{"mathrm": true, "mathbf": true, "mathit": true, "mathsf": true, "mathcal": true, "operatorname": true, "rm": true, "bf": true}
)

// accents make one name of a command and its argument.
var accents = map[string]bool{
	"angle": true, "triangle": true, "overline": true, "bar": true, "vec": true, "hat": true, "tilde": true, "dot": true,
	"overrightarrow": true, "widehat": true, "mathbb": true,
}

// structures are the commands that the parser gives a meaning.
var structures = map[string]string{
	"frac": "frac", "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "binom": "binom", "dbinom": "binom", "tbinom": "binom",
	"sqrt": "sqrt", "begin": "begin", "end": "end", "boxed": "boxed", "fbox": "boxed",
}

// functions are the functions of one argument, by every name.
var functions = map[string]string{
	"sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "cosec": "csc", "tg": "tan", "ctg": "cot",
	"arcsin": "arcsin", "arccos": "arccos", "arctan": "arctan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "arctg": "arctan",
	"sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "ln": "ln", "log": "log", "lg": "log", "exp": "exp", "abs": "abs",
	"floor": "floor", "ceil": "ceil",
}

// greek names the letters that stand for variables; π is a constant.
var greek = map[string]bool{
	"alpha": true, "beta": true, "gamma": true, "delta": true, "epsilon": true, "varepsilon": true, "zeta": true, "eta": true, "theta": true,
	"vartheta": true, "iota": true, "kappa": true, "lambda": true, "mu": true, "nu": true, "xi": true, "rho": true, "sigma": true, "tau": true,
	"upsilon": true, "phi": true, "varphi": true, "chi": true, "psi": true, "omega": true, "Gamma": true, "Delta": true, "Theta": true,
	"Lambda": true, "Xi": true, "Pi": true, "Sigma": true, "Phi": true, "Psi": true, "Omega": true, "ell": true, "hbar": true, "pi": true,
}
