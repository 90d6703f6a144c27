"""Grammars and texts with random changes: they are read, or refused with a line, in a second."""

import random
import time

import pytest

from gpkit.core.errors import GpkitError
from gpkit.core.rng import stream
from gpkit.langkit.grammars import read_grammar

JSON = r"""
start: value
?value: object | array | ESCAPED_STRING -> string | SIGNED_NUMBER -> number
      | "true" -> true  // weight: 2
      | "false" -> false | "null" -> null
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: ESCAPED_STRING ":" value
%import common.ESCAPED_STRING  // words: "a" "b"
%import common.SIGNED_NUMBER  // range: -3 3
%ignore /[ \t\f\r\n]+/
"""
WAYS = r"""
program: step+
step: "go" -> go  // weight: 3
    | "turn" SIDE -> turn | "again" NUMBER step -> again | "do" step+ "end" -> block
SIDE: "left" | "right"
NUMBER: /[0-9]+/  // range: 2 5
%ignore /[ \t\n]+/
%ignore /#[^\n]*/
"""
PIECES = [
    *'abcABC_|:()[]+*?~"/\\ \n.-><%0123456789{}!,',
    *(
        "program",
        "step",
        "// weight: ",
        "// words: ",
        "// range: ",
        "%ignore ",
        "%import common.",
        "/[a-z]+/",
        "->",
    ),
]


def changed(rng: random.Random, text: str) -> str:
    """The text with one to five changes: something left out, put in, copied or replaced."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        place, other, kind = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1), rng.random()
        if kind < 0.3:
            text = text[:place] + text[place + rng.randrange(1, 8) :]
        elif kind < 0.7:
            text = text[:place] + rng.choice(PIECES) + text[place:]
        elif kind < 0.85:
            text = text[:place] + text[other : other + rng.randrange(1, 30)] + text[place:]
        else:
            text = text[:place] + rng.choice(PIECES) + text[place + 1 :]
    return text


def check(seed: int, count: int) -> int:
    """The number of changed grammars that are read; every other one is refused at a line."""
    rng, read = random.Random(seed), 0  # noqa: S311 - no secret
    for number in range(count):
        grammar, begun = changed(rng, rng.choice([JSON, WAYS])), time.thread_time()
        try:
            found = read_grammar(grammar, "changed")
        except GpkitError as error:
            assert "--> the grammar of changed:" in str(error), grammar
        else:
            read += 1
            if not found.free and found.certain is not None:
                rules = found.productions
                nodes = rules.drawn(stream(number, "hostile"), rules.start, 30, is_full=number % 2 == 0)
                for _ in range(3):
                    found.parsed(changed(rng, found.text_of(nodes)))
        assert time.thread_time() - begun < 1.0, grammar
    return read


def test_changed_grammars_are_read_or_refused_with_a_line() -> None:
    assert 0 < check(1, 40) < 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_changed_grammars(seed: int) -> None:
    assert check(seed, 10_000) > 500
