"""Explanations of the findings about plans, each with a program that has it and one that has not.

Codes 310 to 349 belong to the language of plans: E31. and E32. cannot be run, E33. is too large to be read, W34. runs
but is probably not meant so, I34. is good to know.
"""

from gpkit.langkit.language import Explanation

_PLAIN = "repeat 2\n  do drone\nend\ndo spawning_pool"
_DECIDED = "decide env.minerals > 200\n  yes:\n    do drone\n  no:\n    do overlord"

TABLE: tuple[Explanation, ...] = (
    Explanation(
        "E310",
        "Something unexpected",
        "Every step starts with its word: `do`, `wait`, `use`, `repeat`, `while`, `decide` or `chance`. A decision has "
        "`yes:` and `no:` and ends its sequence; `end` closes a loop. The text goes on with something that does not "
        "fit there, or ends too early.",
        "repeat 2\n  do drone",
        _PLAIN,
    ),
    Explanation(
        "E311",
        "A character without meaning",
        "Plans are written with words, names, numbers, comparisons and `:`. Comments start with `//`.",
        "do drone;",
        _PLAIN,
    ),
    Explanation(
        "E312",
        "A plan twice",
        "Each heading names another plan. Rename one of the two, or delete it.",
        "use army\n\nplan army:\n  do drone\n\nplan army:\n  do drone",
        "use army\n\nplan army:\n  do drone",
    ),
    Explanation(
        "E313",
        "No step",
        "A file holds at least one step; here is nothing to execute.",
        "// nothing",
        "do drone",
    ),
    Explanation(
        "E314",
        "A number that is too large",
        "Numbers are doubles, which end at about 1.8e308; there is no infinity.",
        "wait env.minerals > 1e999 max 5",
        "wait env.minerals > 1e3 max 5",
    ),
    Explanation(
        "E315",
        "A count that is none",
        "`repeat` takes a whole number of 1 to 99, `wait` ticks of 0 to 9999, `while` rounds of 1 to 9999.",
        "repeat 100\n  do drone\nend",
        "repeat 99\n  do drone\nend",
    ),
    Explanation(
        "E316",
        "A probability that is none",
        "`chance` takes a number from 0 to 1: how likely its branch `yes:` is.",
        "chance 2\n  yes:\n    do drone\n  no:",
        "do drone",
    ),
    Explanation(
        "E317",
        "Branches that meet where plans go down",
        "`merge` joins paths that come up from named leaves. It stands in the main plan of a program whose header has "
        "the line `// direction: up`.",
        "do drone\nmerge\n  from queen:\n    do queen\nend",
        "// direction: up\ndo drone\nmerge\n  from queen:\n    do queen\nend",
    ),
    Explanation(
        "E318",
        "A direction that is none",
        "A plan is executed `down`, from its first step, or `up`, from a leaf that the game chooses to the root.",
        "// direction: left\ndo drone",
        "// direction: down\ndo drone",
    ),
    Explanation(
        "E319",
        "A decision on the way up",
        "From a leaf to the root there is one path, so nothing is decided on it. Write a beginning of its own, `from "
        "NAME:` in a `merge`, for each case.",
        "// direction: up\ndecide env.tick < 9\n  yes:\n    do drone\n  no:",
        "// direction: up\ndo drone",
    ),
    Explanation(
        "E320",
        "A feature that the game does not have",
        "Tests compare sensors of the game; `gpkit list sensors` shows them.",
        "wait env.gold > 3 max 9",
        "wait env.minerals > 3 max 9",
    ),
    Explanation(
        "E321",
        "An action that the game does not have",
        "`do` asks the game for one of its actions; `gpkit list instructions` shows them.",
        "do marine",
        "do drone",
    ),
    Explanation(
        "E322",
        "A plan that is not there",
        "`use` executes a plan that has a heading in the same file, such as `plan army:`.",
        "use army",
        "use army\n\nplan army:\n  do drone",
    ),
    Explanation(
        "E323",
        "Plans in a circle",
        "A plan cannot use itself, nor one that comes back to it: it would never end. Use `while` or `repeat`.",
        "use army\n\nplan army:\n  use army",
        "use army\n\nplan army:\n  repeat 9\n    do drone\n  end",
    ),
    Explanation(
        "E324",
        "An unknown game",
        "The header names a game that nobody knows; `gpkit list games` shows those that there are.",
        f"// game: build_ordre\n{_PLAIN}",
        f"// game: build_order\n{_PLAIN}",
    ),
    Explanation(
        "E325",
        "An unknown alphabet",
        "The header promises an alphabet that the game does not have; `gpkit list alphabets` shows them.",
        f"// alphabet: tiny\n{_PLAIN}",
        _PLAIN,
    ),
    Explanation(
        "E326",
        "A game of other languages",
        "This game takes no plans. Its own languages are named, and `gpkit new LANGUAGE --game GAME` prints a program.",
        "",
        _PLAIN,
    ),
    Explanation(
        "E327",
        "A plan that grows too large",
        "Used plans are put in their places before a plan is executed, and those that they use, too. Altogether there "
        "are too many steps.",
        "",
        _PLAIN,
    ),
    Explanation(
        "E328",
        "A leaf twice",
        "The game chooses a leaf by its name, so each has another one.",
        "// direction: up\nmerge\n  from queen:\n    do queen\n  from queen:\n    do drone\nend",
        "// direction: up\nmerge\n  from queen:\n    do queen\n  from drone:\n    do drone\nend",
    ),
    Explanation(
        "E330", "A text that is too long", "Programs of more than a megabyte are not read.", "", _PLAIN
    ),
    Explanation("E331", "Too many steps", "Programs of more than 10000 steps are not read.", "", _PLAIN),
    Explanation(
        "E332",
        "A number of too many characters",
        "Doubles need no more than 30 characters.",
        "wait env.minerals > 3.0000000000000000000000000000001 max 5",
        "wait env.minerals > 3 max 5",
    ),
    Explanation(
        "E333",
        "Too deeply nested",
        "Branches and loops nest at most 40 deep, so that every host can follow. Give inner parts names, and use them.",
        "",
        _PLAIN,
    ),
    Explanation(
        "W340",
        "A branch that is never taken",
        "The tests on the way to this branch, or the bounds of the features, leave no value for which it would be "
        "taken. Between two tests an action, a wait or a used plan may change every feature.",
        "decide env.minerals > 9\n  yes:\n    decide env.minerals < 3\n      yes:\n        do drone\n      no:\n  no:",
        _DECIDED,
    ),
    Explanation(
        "W341",
        "A decision between equals",
        "Both branches do the same, so the test decides nothing. Leave it out, or change a branch.",
        "decide env.minerals > 200\n  yes:\n    do drone\n  no:\n    do drone",
        _DECIDED,
    ),
    Explanation(
        "W342",
        "A plan that is never used",
        "No `use` names this plan, so it is never executed.",
        f"{_PLAIN}\n\nplan army:\n  do zerglings",
        f"{_PLAIN}\nuse army\n\nplan army:\n  do zerglings",
    ),
    Explanation(
        "W343",
        "A loop without a body",
        "Nothing changes between its tests, so the loop does nothing. To let time pass, write `wait`.",
        "while env.minerals < 50 max 9\nend",
        "wait env.minerals >= 50 max 9",
    ),
    Explanation(
        "W344",
        "Outside the alphabet",
        "The header promises an alphabet, and this is not in it. Change the program, or the line `// alphabet:`.",
        "// alphabet: orders-only\ndo drone\nwait env.minerals > 3 max 5",
        "// alphabet: orders-only\ndo drone",
    ),
    Explanation(
        "W345",
        "A program for another game",
        "The header names another game than the one that it is checked for.",
        "// game: sevens\ndo drone",
        "// game: build_order\ndo drone",
    ),
    Explanation(
        "W347",
        "A leaf at which no game starts",
        "The game says by name where a plan that goes up begins; this is none of its names. A plan without a leaf of "
        "the name that the game says begins at the first one.",
        "// direction: up\nmerge\n  from rush:\n    do drone\n  from queen:\n    do queen\nend",
        "// direction: up\nmerge\n  from drone:\n    do drone\n  from queen:\n    do queen\nend",
    ),
    Explanation(
        "W348",
        "A step of a branch that looks like one beside it",
        "A branch goes on to the next `no:`, `end` or plan, however its steps are indented: a decision is the last of "
        "its sequence. This step stands where one beside the decision would, and is executed in that branch alone.",
        "decide env.larvae > 1\n  yes:\n    do drone\n  no:\ndo overlord",
        "decide env.larvae > 1\n  yes:\n    do drone\n    do overlord\n  no:\n    do overlord",
    ),
    Explanation(
        "I346",
        "A plan that draws random numbers",
        "With `chance` the same game can be played differently. That is well if it is meant, as for an opponent that "
        "shall surprise.",
        "chance 0.5\n  yes:\n    do drone\n  no:\n    do overlord",
        _DECIDED,
    ),
)

EXPLANATIONS: dict[str, str] = {explanation.code: explanation.text for explanation in TABLE}
"""The text of each code."""
