"""Explanations of the findings about formulas, each with a program that has it and one that has not.

Codes 001 to 099 belong to the arithmetic language: E0.. cannot be run, E02. is too large to be read, W0.. runs but is
probably not meant so, I0.. is good to know.
"""

from gpkit.langkit.language import Explanation

TABLE: tuple[Explanation, ...] = (
    Explanation(
        "E001",
        "Something unexpected",
        "A formula is operands with operators between them: numbers, names, calls such as `min(a, b)` and formulas in "
        "parentheses. The text goes on with something that does not fit there, or ends too early. Two operands side by "
        "side lack an operator.",
        "2 env.rank",
        "2 * env.rank",
    ),
    Explanation(
        "E002",
        "A character without meaning",
        "Formulas are written with letters, digits, `_`, `.`, `+`, `-`, `*`, `/`, `,`, parentheses, and `:` after the "
        "name of a section. Comments start with `//`. Characters that show nothing, such as orders to terminals, stand "
        "nowhere, not even in comments.",
        "env.rank ^ 2",
        "env.rank * env.rank",
    ),
    Explanation(
        "E003",
        "A parenthesis without its partner",
        "Every `(` needs a `)` before the formula ends. The place shown is the parenthesis that has no partner, so for "
        "a missing `)` it is the one that was opened.",
        "(env.rank + env.dist * 2",
        "(env.rank + env.dist) * 2",
    ),
    Explanation(
        "E004",
        "No formula",
        "A file holds one formula, or named sections with one formula each. Here there is nothing to compute.",
        "play: env.depth\nsend:",
        "play: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E005",
        "A section twice",
        "A section is one decision, and each decision has one formula. Delete or rename one of the two.",
        "play: env.depth\nplay: env.dist",
        "play: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E006",
        "An unknown operator",
        "A name before parentheses is an operator: `min`, `max`, `neg`, `abs`, `sqrt`, `floor` or `ifle`; or it is "
        "`math.random()`. Sensors stand without parentheses.",
        "mni(env.rank, 7)",
        "min(env.rank, 7)",
    ),
    Explanation(
        "E007",
        "The wrong number of operands",
        "Each operator takes a fixed number of operands: `min` and `max` two, `neg`, `abs`, `sqrt` and `floor` one, "
        "`ifle` four. `ifle(a, b, x, y)` is x if a is at most b, else y.",
        "min(env.rank, 7, env.dist)",
        "min(min(env.rank, 7), env.dist)",
    ),
    Explanation(
        "E008",
        "An operator without its parentheses",
        "The names of operators are not sensors: they need their operands. `math.random()` is written with parentheses "
        "too, because each of its occurrences gives a fresh number.",
        "math.random * 2",
        "math.random() * 2",
    ),
    Explanation(
        "E009",
        "A number that is not finite",
        "Constants are finite doubles, up to about 1.8e308. Infinity and NaN cannot be written; a formula that needs a "
        "number above all others can use 1e300.",
        "env.rank - 1e999",
        "env.rank - 1e300",
    ),
    Explanation(
        "E010",
        "An unknown sensor",
        "A name is a sensor of the game, and the game has none of this name. `gpkit list sensors` shows them all.",
        "play: env.dpeth\nsend: env.dist",
        "play: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E011",
        "A missing section",
        "A game asks a program for one or several decisions, and the program needs a section with a formula for each.",
        "play: env.depth",
        "play: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E012",
        "An unknown section",
        "The game has no decision of this name, so the formula would never be used.",
        "play: env.depth\nsned: env.dist\nsend: env.dist",
        "play: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E013",
        "An unknown game",
        "The header line `// game: NAME` says which game a program is for. `gpkit list games` shows the names.",
        "// game: sevnes\nplay: env.depth\nsend: env.dist",
        "// game: sevens\nplay: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E014",
        "An unknown alphabet",
        "The header line `// alphabet: NAME` promises that the program keeps to a named selection of the game's "
        "sensors and operators. The game has no selection of this name.",
        "// alphabet: artcle\nplay: env.rank\nsend: env.dist",
        "// alphabet: article\nplay: env.rank\nsend: env.dist",
    ),
    Explanation(
        "E015",
        "A game of another language",
        "This game asks its players for programs of another language, such as blocks of instructions; formulas mean "
        "nothing to it. `gpkit new LANGUAGE` shows what a program looks like.",
        "",
        "// game: sevens\nplay: env.depth\nsend: env.dist",
    ),
    Explanation(
        "E020",
        "Too long a text",
        "At most 1,000,000 bytes are read, which is more than 100,000 nodes need.",
        "",
        "env.rank",
    ),
    Explanation(
        "E021",
        "Too long a number",
        "Numbers have at most 30 characters. A double has at most 17 significant digits, so nothing is lost.",
        "env.rank * 0.33333333333333333333333333333",
        "env.rank * 0.3333333333333333",
    ),
    Explanation(
        "E022",
        "Too large a program",
        "All formulas of a program together have at most 100,000 nodes: operators, sensors and constants.",
        "",
        "env.rank",
    ),
    Explanation(
        "E023",
        "Too deep a formula",
        "From the root of a formula to a leaf there are at most 10,000 nodes, and parentheses are nested at most "
        "20,000 deep. A long sum can be made shallow by adding its halves.",
        "",
        "(env.rank + env.dist) + (env.suit + env.safe)",
    ),
    Explanation(
        "W030",
        "A part that is always the same",
        "This part reads no sensor, so it can be written as the number that it is. Evolution leaves such parts behind; "
        "`gpkit draw` greys them.",
        "env.rank * (2 + 3)",
        "env.rank * 5",
    ),
    Explanation(
        "W031",
        "A part without effect",
        "The value would be the same without this part: adding zero, multiplying by one or by zero, subtracting a "
        "number from itself, choosing between equal numbers.",
        "env.rank + env.dist * 0",
        "env.rank",
    ),
    Explanation(
        "W032",
        "Division by zero",
        "Division is protected: when the divisor is zero the result is 1.0, so that every program has a value. Here "
        "the divisor is always zero.",
        "env.rank + env.dist / 0",
        "env.rank + 1",
    ),
    Explanation(
        "W033",
        "An outcome that is never taken",
        "`ifle(a, b, x, y)` compares a and b; here the comparison always falls the same way, so one of the outcomes "
        "x and y is never used.",
        "ifle(1, 2, env.rank, env.dist)",
        "ifle(env.safe, 0, env.rank, env.dist)",
    ),
    Explanation(
        "W034",
        "A decision that looks at no candidate",
        "A formula is evaluated for each candidate; the highest value wins. This one reads only what all candidates "
        "share, so all values are equal, and of equal values the first candidate wins.",
        "play: env.rounds * 2\nsend: env.dist",
        "play: env.rounds * env.rank\nsend: env.dist",
    ),
    Explanation(
        "W035",
        "Outside the alphabet",
        "The header promises an alphabet, and this sensor, operator or constant is not in it. Change the formula, or "
        "the line `// alphabet:`.",
        "// alphabet: article\nplay: max(env.rank, 7)\nsend: env.dist",
        "// alphabet: full\nplay: max(env.rank, 7)\nsend: env.dist",
    ),
    Explanation(
        "W036",
        "A program for another game",
        "The header names one game and the program is checked for another. Names can mean different things there.",
        "",
        "// game: sevens\nplay: env.depth\nsend: env.dist",
    ),
    Explanation(
        "I037",
        "A random formula",
        "`math.random()` gives each candidate a fresh number of [0, 1), so the same moment can be decided differently. "
        "Games give these numbers from keyed streams: with the same seed they are the same again.",
        "env.rank + math.random()",
        "env.rank",
    ),
)

EXPLANATIONS: dict[str, str] = {explanation.code: explanation.text for explanation in TABLE}
"""The text of each code."""
