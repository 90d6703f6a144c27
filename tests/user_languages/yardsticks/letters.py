"""String match: a point for each letter in its place (M. O'Neill and C. Ryan, "Grammatical Evolution", 2001)."""

import gpkit

TARGET = "any grammar evolves"
LETTERS = gpkit.language(
    "letters", "program: LETTER+\nLETTER: /[a-z ]/", meaning=lambda tree: "".join(tree.children)
)


def alike(program):
    """The letters in their places, less what is too long or too short."""
    text = program()
    return sum(a == b for a, b in zip(text, TARGET, strict=False)) - abs(len(text) - len(TARGET))


PROBLEM = gpkit.problem(alike, language=LETTERS)
