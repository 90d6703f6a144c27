"""Explanations of the findings about decision trees, each with a program that has it and one that has not.

Codes 350 to 389 belong to the language of decisions: E35. and E36. cannot be run, E37. is too large to be read, W38.
runs but is probably not meant so, I38. is good to know.
"""

from gpkit.langkit.language import Explanation

_TREE = "test env.depth <= 3\n  yes: 1\n  no: 2"
_SEND = "send: test env.dist <= 2\n  yes: 0\n  no: 1"

TABLE: tuple[Explanation, ...] = (
    Explanation(
        "E350",
        "Something unexpected",
        "A tree is a leaf, or an inner node with all its branches: `test` and `chance` have `yes:` and `no:`, `switch` "
        "has `below NUMBER:` once or more and then `else:`. The text goes on with something that does not fit there, "
        "or ends before a branch.",
        "test env.depth <= 3\n  yes: 1",
        _TREE,
    ),
    Explanation(
        "E351",
        "A character without meaning",
        "Trees are written with words, names, numbers, comparisons and `:`. Names with blanks stand in quotation "
        "marks. Comments start with `//`. Characters that show nothing, such as orders to terminals, stand nowhere.",
        "test env.depth = 3\n  yes: 1\n  no: 2",
        "test env.depth == 3\n  yes: 1\n  no: 2",
    ),
    Explanation(
        "E352",
        "A section twice",
        "A section is one decision of the game, and each decision has one tree. Delete or rename one of the two.",
        f"play: {_TREE}\nplay: 0",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E353",
        "No tree",
        "A file holds one tree, or named sections with one tree each. Here there is nothing to decide; a lone leaf "
        "such as `1.0` is a tree, too.",
        f"play: {_TREE}\nsend:",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E354",
        "A number that is not finite",
        "Thresholds and values are finite doubles, up to about 1.8e308.",
        "test env.depth <= 1e999\n  yes: 1\n  no: 2",
        "test env.depth <= 1e300\n  yes: 1\n  no: 2",
    ),
    Explanation(
        "E355",
        "No probability",
        "`chance P` takes the branch yes with probability P, which is from 0 to 1.",
        "chance 25\n  yes: 1\n  no: 2",
        "chance 0.25\n  yes: 1\n  no: 2",
    ),
    Explanation(
        "E356",
        "Bounds that do not rise",
        "A switch takes the first interval whose bound its feature is below, so each bound is above the one before.",
        "switch env.depth\n  below 4: 1\n  below 2: 2\n  else: 3",
        "switch env.depth\n  below 2: 2\n  below 4: 1\n  else: 3",
    ),
    Explanation(
        "E357",
        "Too many intervals",
        "A switch has two to six intervals, the one behind `else:` included. Put another switch into one of them.",
        "",
        "switch env.depth\n  below 2: 2\n  below 4: 1\n  else: 3",
    ),
    Explanation(
        "E358",
        "An empty name",
        "A name in quotation marks has at least one character that is no blank: it is that of a column or a class.",
        'test "" <= 3\n  yes: 1\n  no: 2',
        'test "petal width" <= 3\n  yes: 1\n  no: 2',
    ),
    Explanation(
        "E360",
        "An unknown sensor",
        "Tests and switches look at a sensor of the game, and the game has none of this name. `gpkit list sensors` "
        "shows them all.",
        f"play: test env.dpeth <= 3\n  yes: 1\n  no: 2\n{_SEND}",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E361",
        "A missing section",
        "A game asks a program for one or several decisions, and the program needs a section with a tree for each.",
        f"play: {_TREE}",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E362",
        "An unknown section",
        "The game has no decision of this name, so the tree would never be used.",
        f"play: {_TREE}\nsned: 0\n{_SEND}",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E363",
        "An unknown game",
        "The header line `// game: NAME` says which game a program is for. `gpkit list games` shows the names.",
        f"// game: sevnes\nplay: {_TREE}\n{_SEND}",
        f"// game: sevens\nplay: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E364",
        "An unknown alphabet",
        "The header line `// alphabet: NAME` promises that the program keeps to a named selection of the game's "
        "sensors. The game has no selection of this name for decision trees.",
        f"// alphabet: decisoins\nplay: {_TREE}\n{_SEND}",
        f"// alphabet: decisions\nplay: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E365",
        "A game of another language",
        "This game asks its players for programs of another language; decision trees mean nothing to it. `gpkit new "
        "LANGUAGE` shows what a program looks like.",
        "",
        f"// game: sevens\nplay: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E366",
        "A leaf without a value",
        "The game has a tree evaluated for each candidate and takes the one whose leaf has the highest value, so "
        "leaves are numbers. Names as leaves are for classes of rows: `gpkit run --data`.",
        f"play: test env.depth <= 3\n  yes: good\n  no: bad\n{_SEND}",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "E367",
        "A leaf without an action",
        "The game asks a tree once for what to do, so leaves are names of its actions. Where the one that the tree "
        "comes to cannot be done, the nearest other leaf is asked: those of the sibling branches, then those beside "
        "the parent, and so on.",
        "// game: build_order\norder: test env.drones < 8\n  yes: dron\n  no: overlord",
        "// game: build_order\norder: test env.drones < 8\n  yes: drone\n  no: overlord",
    ),
    Explanation(
        "E368",
        "A test of one action",
        "The game asks a tree once for what to do, not for every action, so it tests sensors of the moment. In "
        "formulas, which value every action, this sensor has a meaning.",
        "// game: build_order\norder: test env.now > 0\n  yes: drone\n  no: overlord",
        "// game: build_order\norder: test env.free > 0\n  yes: drone\n  no: overlord",
    ),
    Explanation(
        "E370",
        "Too long a text",
        "At most 1,000,000 bytes are read, which is more than 10,000 nodes need.",
        "",
        _TREE,
    ),
    Explanation(
        "E371",
        "Too long a number",
        "Numbers have at most 30 characters. A double has at most 17 significant digits, so nothing is lost.",
        "test env.depth <= 0.33333333333333333333333333333\n  yes: 1\n  no: 2",
        "test env.depth <= 0.3333333333333333\n  yes: 1\n  no: 2",
    ),
    Explanation(
        "E372",
        "Too large a program",
        "All trees of a program together have at most 10,000 nodes: inner nodes and leaves.",
        "",
        _TREE,
    ),
    Explanation(
        "E373",
        "Too deep a tree",
        "From the root of a tree to a leaf there are at most 60 nodes, so that every language that trees are exported "
        "to can nest its conditions.",
        "",
        _TREE,
    ),
    Explanation(
        "W380",
        "A branch that is never taken",
        "The tests above this branch contradict it, or the bounds of the features do: no moment of a game leads here. "
        "`gpkit draw` greys such branches.",
        "test env.depth <= 3\n  yes: test env.depth > 5\n    yes: 0\n    no: 1\n  no: 2",
        _TREE,
    ),
    Explanation(
        "W381",
        "A node that decides nothing",
        "Whichever branch is taken, the same follows. Write one of the branches in place of the node.",
        "test env.depth <= 3\n  yes: 1\n  no: 1",
        _TREE,
    ),
    Explanation(
        "W382",
        "A chance that is none",
        "With a probability of 0 the answer is always no, with 1 always yes. It still draws a random number.",
        "chance 1\n  yes: 1\n  no: 2",
        "chance 0.9\n  yes: 1\n  no: 2",
    ),
    Explanation(
        "W383",
        "A decision that looks at no candidate",
        "A tree is evaluated for each candidate; the highest value wins. This one tests only what all candidates "
        "share, so all values are equal, and of equal values the first candidate wins.",
        f"play: test env.rounds <= 3\n  yes: 1\n  no: 2\n{_SEND}",
        f"play: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "W384",
        "Outside the alphabet",
        "The header promises an alphabet, and this sensor is not in it; a chance needs `math.random` in it. Change the "
        "tree, or the line `// alphabet:`.",
        f"// alphabet: decisions\nplay: test env.suitid <= 1\n  yes: 1\n  no: 2\n{_SEND}",
        f"// alphabet: decisions\nplay: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "W385",
        "A program for another game",
        "The header names one game and the program is checked for another. Names can mean different things there.",
        "",
        f"// game: sevens\nplay: {_TREE}\n{_SEND}",
    ),
    Explanation(
        "I386",
        "A random tree",
        "`chance P` draws a fresh number of [0, 1) for each candidate, so the same moment can be decided differently. "
        "Games give these numbers from keyed streams: with the same seed they are the same again.",
        "chance 0.5\n  yes: 1\n  no: 2",
        _TREE,
    ),
)

EXPLANATIONS: dict[str, str] = {explanation.code: explanation.text for explanation in TABLE}
"""The text of each code."""
