"""Equal knowledge: the player of the posterior against the samplers where nobody is told of sinkings."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpkit.core.statistics import Interval
from gpkit_experiments.belief_strength import PATH, SEEDS
from gpkit_experiments.papers.paper import Row, above

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


TEN, HUNDRED = SEEDS
PAIRS = (
    Pair(TEN, "belief:50", "mcs:10", 90, "ten ships, against mcs:10"),
    Pair(TEN, "belief:50", "mcs:100", 90, "ten ships, against mcs:100"),
    Pair(TEN, "belief:50", "mcs-mended:100", 90, "ten ships, against mcs-mended:100"),
    Pair(
        TEN, "belief:50", "mcs-mended:20000", 90, "ten ships, against mcs-mended:20000, which takes as long"
    ),
    Pair(HUNDRED, "belief", "mcs:10", 4, "50x50 squares with 100 ships, against mcs:10"),
    Pair(HUNDRED, "belief", "mcs-mended:10", 4, "50x50 squares with 100 ships, against mcs-mended:10"),
    Pair(
        HUNDRED,
        "belief",
        "mcs-mended:100",
        4,
        "50x50 squares with 100 ships, against mcs-mended:100, in a sixth of the time",
    ),
)
"""Ninety boards tell differences of 1.6 shots, four on 50x50 squares those of thirty or more."""


def knowledge_rows(record: Mapping[str, Any] | None = None) -> Iterator[Row]:
    """Rows of the record; a pair whose boards it does not have has none."""
    rows = (record or json.loads(PATH.read_text(encoding="utf-8")))["rows"]
    for pair in PAIRS:
        told = rows.get(f"{pair.rules} {pair.player}", {"fewer": {}})["fewer"].get(pair.other)
        if told is not None:
            low, high = told["ci95"]
            interval = Interval(told["mean"], low, high, told["boards"])
            yield Row(HEADING, pair.words, interval, "boards", claim=above(0.0))
