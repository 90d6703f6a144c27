"""Equal knowledge: the player of the posterior against the samplers where nobody is told of sinkings."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpkit_experiments.belief_strength import PATH, SEEDS
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import remade, stored

HEADING = "Equal knowledge, nobody is told of sinkings: shots that the posterior saves"


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison on the same boards.

    Attributes:
        rules, player, other: names of ``belief_strength``.
        boards: how many.
        words: what is compared.
    """

    rules: str
    player: str
    other: str
    boards: int
    words: str


(TEN,) = SEEDS
PAIRS = (
    Pair(TEN, "belief:50", "mcs:10", 90, "ten ships, against mcs:10"),
    Pair(TEN, "belief:50", "mcs:100", 90, "ten ships, against mcs:100"),
    Pair(TEN, "belief:50", "mcs-mended:100", 90, "ten ships, against mcs-mended:100"),
    Pair(
        TEN, "belief:50", "mcs-mended:20000", 90, "ten ships, against mcs-mended:20000, which takes as long"
    ),
)
"""Ninety boards tell differences of 1.4 shots; on 50x50 squares nothing is compared."""


def knowledge_rows(path: Path = PATH) -> Iterator[Row]:
    """Rows of the record."""
    rows, arrays = json.loads(path.read_text(encoding="utf-8"))["rows"], stored(path)
    for pair in PAIRS:
        told = rows[f"{pair.rules} {pair.player}"]["fewer"][pair.other]
        assert told["boards"] == pair.boards, "as many as were named"
        fewer = remade(told["values"], arrays)
        yield Row(HEADING, pair.words, fewer, "boards", claim=above(0.0))
