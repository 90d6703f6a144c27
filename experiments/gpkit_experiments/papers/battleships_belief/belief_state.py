"""The belief state as the source speaks of it: how large it is, what a count takes, whether hits are always best."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gpkit.games.battleship.belief.posterior import Facts, posterior_of
from gpkit.games.battleship.rules import BattleshipRules
from gpkit_experiments.battleship_optimal import MOST_FLEETS, PLACES, boards, name_of
from gpkit_experiments.battleship_optimal import PATH as SOLVED
from gpkit_experiments.belief_strength import PATH, SEEDS
from gpkit_experiments.optimal_boards import PossibleFleets, SearchMemory, fleets_of
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import mean_interval, read_record, remade, stored

TIMES = Path(__file__).parents[3] / "data" / "times-battleships-belief.json"
"""Record that ``belief_times`` writes: times do not come out again and are measured apart."""

LIMIT = 15.0
"""Seconds that a move of the source may take."""

NO_SACRIFICE = 1.25
"""A sampler that takes a quarter more time than another is taken as no less efficient; the source has no number."""

SMALL = 9
"""Squares up to which every position of a solved board is looked at."""


def count_rows() -> Iterator[Row]:
    """Number of belief states that the source bounds, and that there are."""
    classic = BattleshipRules()
    bound = exact((2 * classic.squares) ** len(classic.fleet))
    heading = "What the source counts"
    yield Row(
        heading, "classic: the bound (2n²)^s on belief states", bound, "exactly", "320 billion", exact=True
    )
    fleets = exact(2 * posterior_of(Facts(classic)).fleets)
    quantity = "classic: fleets that there are, both ships of three told apart"
    yield Row(heading, quantity, fleets, "exactly", "at most 320 billion", Claim(below=bound), exact=True)


def time_rows() -> Iterator[Row]:
    """Times of counts and of moves, as they were measured."""
    times = read_record(TIMES)
    heading = "Times on one core of today, which do not come out again"
    count = mean_interval(times["count_s"])
    said = "rather infeasible; a move may take 15 seconds"
    yield Row(heading, "classic, no shot yet: seconds of an exact count", count, "counts", said, above(LIMIT))
    for name, games in times["moves_ms"].items():
        for what, said in (("mean", "most no more than 40 ms"), ("longest", "at most 200 ms")):
            published = said if name == "mcs:100" else ""
            interval = mean_interval([game[what] for game in games])
            yield Row(
                heading, f"{name}: milliseconds of a move, {what} of a game", interval, "games", published
            )
    pairs = zip(times["moves_ms"]["mcs-mended:100"], times["moves_ms"]["mcs:100"], strict=True)
    ratio = mean_interval([mended["mean"] / usual["mean"] for mended, usual in pairs])
    said = "without sacrificing efficiency"
    yield Row(
        heading, "mcs-mended:100 over mcs:100: time of a move", ratio, "games", said, below(NO_SACRIFICE)
    )
    large = mean_interval(times["large_s"])
    quantity = "50x50 squares with 100 ships, mcs:100: seconds of a move, mean of a game"
    yield Row(heading, quantity, large, "games", "our code can handle such an input", below(LIMIT))


def hit_rows() -> Iterator[Row]:
    """Rows of whether hits are always best: on solved boards, and in every position of the smallest."""
    heading = "Hits on solved boards"
    solved = read_record(SOLVED)["boards"]
    asked = [row["shooters"]["greedy"] for row in solved.values() if row["shooters"]]
    costly = sum(each["left"] is not None for each in asked)
    said = "the best strategy: where an attack would most likely be successful"
    quantity = "boards on which always the likeliest square is not optimal"
    yield Row(heading, quantity, exact(costly, len(asked)), "boards", said, below(0.5), exact=True)
    for touch, words in ((True, "touch"), (False, "may not touch")):
        found = [sure_hits(each) for each in _small_boards(touch)]
        worse, met = (sum(each) for each in zip(*found, strict=True))
        said = "a hit is always better than a miss"
        quantity = f"ships {words}: positions with a sure hit in which none is a best shot"
        yield Row(heading, quantity, exact(worse, met), "positions", said, below(0.5), exact=True)


def _small_boards(touch: bool) -> list[BattleshipRules]:
    solved = read_record(SOLVED)["boards"]
    return [
        rules
        for rules in boards()
        if rules.squares <= SMALL
        and len(rules.fleet) > 1
        and rules.touch is touch
        and solved[name_of(rules)]["shooters"]
    ]


def sure_hits(rules: BattleshipRules) -> tuple[int, int]:
    """Positions of a board that shots can lead to and that have a sure hit: those in which none is best, and all."""
    fleets = fleets_of(rules, MOST_FLEETS)
    memory = SearchMemory.of(fleets, PLACES[0])
    worse = met = 0
    for belief, shot in positions(fleets):
        sure = [s for s in range(fleets.squares) if not shot >> s & 1 and not belief & ~fleets.covering[s]]
        if sure and belief & (belief - 1):
            best = memory.best(belief, shot)
            assert best is not None, "small boards fit into the memory"
            met += 1
            worse += all(memory.misses(belief, shot, square) != best.misses for square in sure)
    return worse, met


@cache
def positions(fleets: PossibleFleets) -> frozenset[tuple[int, int]]:
    """Every belief that shots can lead to, with the squares that were shot."""
    found = {(fleets.everything, 0)}
    todo = list(found)
    while todo:
        belief, shot = todo.pop()
        for square in range(fleets.squares):
            if shot >> square & 1:
                continue
            for after in fleets.answers(belief, shot, square).values():
                position = (after, shot | 1 << square)
                if position not in found:
                    found.add(position)
                    todo.append(position)
    return frozenset(found)


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
