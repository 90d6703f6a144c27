"""Explanations of the findings about rules, each with a rule that has it and one that has not.

Codes 160 to 199 belong to the language of rule graphs: E16. cannot be read, E17. and E18. are not well-formed, E19.
cannot be used, W19. can be used but are probably not meant so.
"""

from gpkit.langkit.language import Explanation

_TAKE = "x_0 w => x_0 - w"
_DEGREES = "A `q` has four undrawn sides, a `t` three, a chain `l` two ends, an `x` one side."

TABLE: tuple[Explanation, ...] = (
    Explanation(
        "E160",
        "Something unexpected",
        "A rule is entries with `:` between them, an arrow, and the two ends of the side to draw. An entry is a box "
        "and the neighbours that its undrawn sides lead to: boxes, `n` for the ground, `w` for anything.",
        "x_0 w => x_0",
        _TAKE,
    ),
    Explanation(
        "E161",
        "A character without meaning",
        "Boxes are `q`, `t`, `l` and `x` with an index, as in `x_0`. Comments start with `#`. Of LaTeX the marks `$`, "
        "`\\Rightarrow` and braces round an index are read. A rule's name ends in a colon. "
        "Characters that show nothing, such as orders to terminals, stand nowhere, not even in comments.",
        "x_0, w => x_0 - w",
        _TAKE,
    ),
    Explanation(
        "E162",
        "No rule",
        "A file holds at least one rule. One that matches wherever a box can be taken is a good last one.",
        "# nothing yet",
        _TAKE,
    ),
    Explanation(
        "E163",
        "Too long a text",
        "At most 1,000,000 bytes are read.",
        "",
        _TAKE,
    ),
    Explanation(
        "E164",
        "Too large a rule or too many",
        "A rule has at most 100 nodes, and all rules together name boxes at most 100,000 times.",
        "",
        _TAKE,
    ),
    Explanation(
        "E165",
        "Too long a number",
        "Indexes, lengths and offsets have at most 9 digits, an annotation at most 30 characters.",
        "x_1234567890 w => x_1234567890 - w",
        _TAKE,
    ),
    Explanation(
        "E170",
        "One index, two symbols",
        "Within a rule an index stands for one box, so it always comes with the same symbol.",
        "t_0 x_1 w : l_1(1+) n => t_0 - x_1",
        "t_0 x_1 w : l_2(1+) n => t_0 - x_1",
    ),
    Explanation(
        "E171",
        "A length of a single box",
        "Only `l` stands for a chain of boxes and has a length; `q`, `t` and `x` are single boxes.",
        "x_0(1+) w => x_0 - w",
        _TAKE,
    ),
    Explanation(
        "E172",
        "A length that cannot be",
        "A chain has one length, wherever the rule gives it: `(3)` for three boxes, `(3+)` for three or more. It may "
        "be left out where it is given elsewhere in the rule.",
        "l_0(2+) x_1 n : x_1 l_0(3) => l_0 - x_1",
        "l_0(2+) x_1 n : x_1 l_0 => l_0 - x_1",
    ),
    Explanation(
        "E173",
        "A chain without length",
        "The length of a chain must be given once in a rule: `(1+)` matches every chain.",
        "l_0 x_1 n => l_0 - n",
        "l_0(1+) x_1 n => l_0 - n",
    ),
    Explanation(
        "E174",
        "Entries that contradict each other",
        "An edge joins two boxes, so each of them lists the other, once for every edge between them. A box that an "
        "entry leaves out is filled in as long as the box has a side to draw that its entry says nothing of; here the "
        "entry is full, or the two entries give different numbers.",
        "x_0 t_1 : t_1 q_2 n n => x_0 - t_1",
        "x_0 t_1 : t_1 x_0 n n => x_0 - t_1",
    ),
    Explanation(
        "E175",
        "Too many neighbours",
        f"A box has as many neighbours as undrawn sides. {_DEGREES} What an entry leaves out is filled in.",
        "x_0 n w => x_0 - n",
        "l_0(1) n w => l_0 - n",
    ),
    Explanation(
        "E176",
        "Two entries of one box",
        "All neighbours of a box stand in one entry.",
        "t_0 n : t_0 x_1 => t_0 - x_1",
        "t_0 x_1 n => t_0 - x_1",
    ),
    Explanation(
        "E177",
        "Chains that touch",
        "A chain is all boxes with two undrawn sides that hang together, so two chains never are neighbours: they "
        "would be one chain. A chain may lead back to itself with both ends: that is a loop of boxes.",
        "l_0(1+) l_1(1+) n => l_0 - n",
        "l_0(2+) w n => l_0 - n",
    ),
    Explanation(
        "E178",
        "Boxes that cannot lie so",
        "Two boxes have one side in common at most, and a box none with itself. A chain can join one box with both "
        "ends.",
        "t_0 t_1 t_1 n => t_0 - n",
        "t_0 l_1(1+) l_1 n => t_0 - n",
    ),
    Explanation(
        "E179",
        "An action that is no side of the rule",
        "The side to draw is one between two neighbours of the rule, between a box and `n` or `w` if its entry has "
        "one.",
        "x_0 w => x_0 - n",
        _TAKE,
    ),
    Explanation(
        "E180",
        "An offset out of range",
        "`l_0[1] - n` draws the side that lies one further into the chain from the end that touches `n`. A chain of "
        "three boxes has the offsets 0, 1 and 2, and 0 says the same as none.",
        "l_0(3) n w => l_0[3] - n",
        "l_0(3) n w => l_0[2] - n",
    ),
    Explanation(
        "E181",
        "A name twice",
        "Names tell rules apart in reports, so each is given to one rule.",
        f"take: {_TAKE}\ntake: t_0 n => t_0 - n",
        f"take: {_TAKE}\ngive: t_0 n => t_0 - n",
    ),
    Explanation(
        "E182",
        "An annotation that is none",
        "What was learned about a rule stands behind it: `@q=0.5` for the reward that it brings, `@f=12` for how often "
        "it was used. Each is written once, with a finite number.",
        f"{_TAKE}  @r=0.5",
        f"{_TAKE}  @q=0.5",
    ),
    Explanation(
        "E183",
        "An unknown name of a pattern",
        "A line such as `&safe = t_0 t_1` gives a pattern a name, and below it `&safe` stands for its entries.",
        "&border : x_5 w => x_5 - w",
        "&border = t_0 n\n&border : x_5 w => x_5 - w",
    ),
    Explanation(
        "E184",
        "A name of a pattern twice",
        "A name stands for one pattern.",
        "&border = t_0 n\n&border = q_0 n\n&border : x_5 w => x_5 - w",
        "&border = t_0 n\n&border : x_5 w => x_5 - w",
    ),
    Explanation(
        "E185",
        "An absent pattern with a box of the rule",
        "What stands behind `!` is looked for anywhere in the position, whatever the rule itself matched. Its boxes "
        "are not those of the rule, so they have indexes of their own. In patterns with a name any index will do.",
        "# level: 1\n\nt_0 n ; !t_0 q_1 => t_0 - n",
        "# level: 1\n\nt_0 n ; !t_2 q_1 => t_0 - n",
    ),
    Explanation(
        "E186",
        "A comparison of what is no number",
        "Compared are whole numbers, the lengths of chains of the rule, `score` (own boxes less the other player's) "
        "and `left` (the edges left to draw).",
        "# level: 1\n\nt_0 n ; t_0 < 4 => t_0 - n",
        "# level: 1\n\nt_0 n ; left < 4 => t_0 - n",
    ),
    Explanation(
        "E187",
        "A rule joined to none",
        "A line that begins with `|` gives its rule the precedence of the rule above: where several of such rules "
        "match, any edge that one of them proposes is drawn, all equally likely. Above the first rule there is none.",
        f"# level: 1\n\n| {_TAKE}\nt_0 n => t_0 - n",
        f"# level: 1\n\n{_TAKE}\nt_0 n => t_0 - n\n| t_0 t_1 => t_0 - t_1",
    ),
    Explanation(
        "E190",
        "An unknown game",
        "The header line `# game: NAME` says which game the rules are for. `gpkit list games` shows the names.",
        f"# game: dots\n\n{_TAKE}",
        _TAKE,
    ),
    Explanation(
        "E191",
        "A game of another language",
        "This game asks its players for decisions that are said in another language; rules of boxes and chains mean "
        "nothing to it. `gpkit new LANGUAGE` shows what a program looks like.",
        "",
        _TAKE,
    ),
    Explanation(
        "E192",
        "Level 1 without its mark",
        "The paper that describes the language has no conditions and no rules of equal precedence, so rules with these "
        "cannot be compared with the paper's. The header says so, for everything that reports results. Names of "
        "patterns need no mark.",
        f"{_TAKE}\nt_0 n ; left < 4 => t_0 - n",
        f"# level: 1\n\n{_TAKE}\nt_0 n ; left < 4 => t_0 - n",
    ),
    Explanation(
        "E193",
        "A header line that cannot be",
        "The header line `# level: 1` is for rules with conditions and for rules of equal precedence, `# level: 0` for "
        "those without. The header line `# board: 3x3` says for which board the rules were made: columns and rows of "
        "boxes. They can be used on others.",
        f"# board: 3 by 3\n\n{_TAKE}",
        f"# board: 3x3\n\n{_TAKE}",
    ),
    Explanation(
        "W194",
        "A chain without length, read leniently",
        "The length of a chain was left out everywhere in the rule. The lenient reading takes it for `(1+)`, any "
        "chain.",
        "",
        "l_0(1+) x_1 n => l_0 - n",
    ),
    Explanation(
        "W195",
        "A rule that can never act",
        "The first rule that matches acts. The pattern of an earlier rule lies in the pattern of this one, so whenever "
        "this one matches, that one does, too. Where both rules have learned values, `@q`, they compete by them, and "
        "where they are joined by `|` both act, so only equal rules are told of, and so it is at the end of lists of "
        "some thousand rules, where comparing all would take too long.",
        f"{_TAKE}\nx_0 t_1 => x_0 - t_1",
        f"x_0 t_1 => x_0 - t_1\n{_TAKE}",
    ),
    Explanation(
        "W196",
        "Rules for another game",
        "The header names one game and the rules are checked for another, where boxes may mean nothing.",
        f"# game: sevens\n\n{_TAKE}",
        _TAKE,
    ),
    Explanation(
        "W197",
        "A header line that is almost one",
        "The lines `game`, `board`, `source`, `title` and `level` of the header mean something; others are notes. This "
        "one looks like one of them, misspelt.",
        f"# borad: 3x3\n\n{_TAKE}",
        f"# board: 3x3\n\n{_TAKE}",
    ),
    Explanation(
        "W198",
        "A pattern that nothing uses",
        "The line gives a pattern a name, and no rule and no other pattern uses it.",
        f"&border = t_0 n\n{_TAKE}",
        "&border = t_0 n\n&border : x_5 w => x_5 - w",
    ),
    Explanation(
        "W199",
        "A comparison that decides nothing",
        "The lengths that the pattern asks for make the comparison always true, or never.",
        "# level: 1\n\nl_0(3+) n ; l_0 > 2 => l_0 - n",
        "# level: 1\n\nl_0(3+) n ; l_0 > 4 => l_0 - n",
    ),
)

EXPLANATIONS: dict[str, str] = {explanation.code: explanation.text for explanation in TABLE}
"""The text of each code."""
