"""Equal knowledge: the player of the posterior against the samplers where nobody is told of sinkings."""

from collections.abc import Iterator
from pathlib import Path

from gpkit_experiments.belief_strength import PATH, SEEDS
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import read_record, remade, stored

HEADING = "Equal knowledge, nobody is told of sinkings: shots that the posterior saves"

(TEN,) = SEEDS
POSTERIOR = "belief:50"
"""The rules and the player by their names in ``belief_strength``."""

BOARDS = 90
"""So many tell differences of 1.4 shots."""

OTHERS = {
    "mcs:10": "ten ships, against mcs:10",
    "mcs:100": "ten ships, against mcs:100",
    "mcs-mended:100": "ten ships, against mcs-mended:100",
    "mcs-mended:20000": "ten ships, against mcs-mended:20000, which takes as long",
}
"""Samplers on the same boards, and what is compared; on 50x50 squares nothing is."""


def knowledge_rows(path: Path = PATH) -> Iterator[Row]:
    """Rows of the record."""
    rows, arrays = read_record(path)["rows"], stored(path)
    for other, words in OTHERS.items():
        told = rows[f"{TEN} {POSTERIOR}"]["fewer"][other]
        assert told["boards"] == BOARDS, "as many as were named"
        yield Row(HEADING, words, remade(told["values"], arrays), "boards", claim=above(0.0))
