"""The belief-state agent for Battleships, measured again: Tables I and II, Figures 3 and 4, and what section V asks."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gpkit.games.battleship.rules import BattleshipRules
from gpkit_experiments.papers import paper
from gpkit_experiments.papers.battleships_belief.belief_state import (
    count_rows,
    hit_rows,
    knowledge_rows,
    time_rows,
)
from gpkit_experiments.papers.battleships_belief.samples import (
    chance_rows,
    exhibit,
    inconsistent_rows,
    large_rows,
    mended_rows,
    number_rows,
)
from gpkit_experiments.papers.battleships_belief.tables import (
    PLACEMENTS,
    READINGS,
    RULE_BASED,
    SOURCE_TRIALS,
    Boards,
    Entrant,
    Results,
    Trials,
    figures,
    reading_rows,
    statement_rows,
    table_rows,
    trials,
)
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row, above
from gpkit_experiments.papers.units import mean_interval, paired_difference

RULES = BattleshipRules.from_options({"variant": "ten-ships"})

ENTROPY = ("one-by-one", "uniform")
"""The placement of the source, and the one whose entropy is greatest."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        trials: of the tables.
        mended: boards of the mended sampler with 100 samples.
        thousand: boards of each sampler with 1000 samples.
        placed: boards of each placement.
        positions: in which chances are compared with the true ones.
        large: boards of 50x50 squares with 10 samples and with 100.
        steps: layouts tried in each search.
        games: with each of them in a step.
        shown: games with each layout that was found.
    """

    trials: int
    mended: int
    thousand: int
    placed: int
    positions: int
    large: tuple[int, int]
    steps: int
    games: int
    shown: int


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        trials=400,
        mended=400,
        thousand=20,
        placed=100,
        positions=20,
        large=(2, 0),
        steps=100,
        games=10,
        shown=100,
    ),
    "full": Effort(
        trials=4_000,
        mended=4_000,
        thousand=150,
        placed=800,
        positions=100,
        large=(6, 0),
        steps=80,
        games=50,
        shown=600,
    ),
}

NOTES = (
    "Boards are 10x10 with ships of 4,3,3,2,2,2,1,1,1,1 squares that may not touch, laid one by one as in section III.",
    "Neither player sees the other's board, so each clears its own; in a trial the one who needs fewer shots wins, of "
    "equal numbers the one who shoots first, and players take turns in that. Trials of a row are independent.",
    "The source does not say whether its samples observe that ships may not touch. If they ignore it, the agent comes "
    "nearer to the published shots and wins, which still are not all reached, and samples hardly ever leave a hit out, "
    "as is published; if they observe it, it needs some twenty shots fewer and wins nearly all trials, and every "
    "seventh sample leaves a hit out.",
    "Nobody tells the agent which ship sank. Of equal votes one is drawn at random; a ship that is taken up again does "
    "not lie down where it lay; a sample in which ships were taken up 100 times has no vote.",
    "The mended sampler takes a location beside a hit that it does not cover for invalid, as no other ship could cover "
    "that hit, and a list for empty where the ships after it are too short for the hits that are left.",
    "The pattern database is read as every fourth diagonal, then those between, then those after the first; the source "
    "shows it in a figure only. The rule-based agent shoots at all neighbours of hits: of all hits if it is told hits "
    "alone, else of those of ships that have not sunk.",
    "A published share of wins is taken as its own 95% interval of 100 trials, a published mean of shots as that of "
    "as many games won with our spread, and what is published of one competition, least, most and what more samples "
    "save, as one of our competitions of 100 trials: within two standard deviations of them.",
    "What can be seen: 4,000 boards tell differences of .4 shots where samples ignore touching and of .25 where they "
    "observe it, 150 boards those of 1.2 shots, 800 boards of two placements those of .6, 600 games of a layout those "
    "of .7.",
    "Times and the games without knowledge of sinkings are in records of their own, which name their commands "
    "(`times-battleships-belief.json`, `strength-belief.json`); solved boards are those of `optimal-battleship.json`.",
)


def entrants(effort: Effort) -> dict[Entrant, int]:
    """The samplers of the study, each with the number of its boards."""
    counts = {}
    for name in READINGS:
        counts[Entrant(name, 10)] = effort.trials
        counts[Entrant(name, 100)] = effort.mended if name == "mcs-mended" else effort.trials
        if name != "mcs-flawed":
            counts[Entrant(name, 1000)] = effort.thousand
    return counts


@dataclass(frozen=True, slots=True)
class Study(paper.Study[Effort]):
    """One reproduction, whose players clear boards."""

    def cleared(self, entrant: Entrant, purpose: str, count: int, placement: str = "one-by-one") -> Trials:
        """A player on boards, the first of which are the same for any count and any player."""
        self.watch(f"{entrant.name}, N = {entrant.samples}" if entrant.samples else entrant.name)
        return trials(entrant, Boards.drawn(self.seed, purpose, count, placement, RULES), self.executor)


def level_rows(study: Study, results: Results, others: Results) -> Iterator[Row]:
    """Shots of every player on the source's fleets, and on fleets that are uniform."""
    heading = "Shots of every player, fleets laid one by one"
    yield from (_level(heading, entrant, found) for entrant, found in (*results.items(), *others.items()))
    for entrant in (*others, *(Entrant(name, 10) for name in READINGS), Entrant("mcs", 100)):
        found = study.cleared(entrant, "uniform", study.effort.placed, "uniform")
        yield _level("Shots of every player, uniform fleets", entrant, found)


def _level(heading: str, entrant: Entrant, found: Trials) -> Row:
    number = f", N = {entrant.samples}" if entrant.samples else ""
    label = {**READINGS, **RULE_BASED}.get(entrant.name, entrant.name)
    return Row(heading, f"{label}{number}", mean_interval(found.shots), "boards")


def placement_rows(study: Study) -> Iterator[Row]:
    """Shots at fleets of every placement, and what both readings of the source's random fleets gain over the others."""
    heading = "Placement: shots of the sampler that observes touching, N = 10"
    shots = {
        placement: study.cleared(Entrant("mcs", 10), "placed", study.effort.placed, placement).shots
        for placement in PLACEMENTS
    }
    for placement, found in shots.items():
        yield Row(heading, placement, mean_interval(found), "boards")
    for own in ENTROPY:
        for placement in (each for each in PLACEMENTS if each != own):
            gained = paired_difference(shots[own], shots[placement])
            said = "the best possible placement is one that maximizes entropy"
            yield Row(heading, f"{own} minus {placement}", gained, "boards", said, above(0.0))


def measure(study: Study) -> Findings:
    """Measure everything that the source says, and what it asks for."""
    effort, seed, watch = study.effort, study.seed, study.watch
    results = {
        entrant: study.cleared(entrant, "own boards", count) for entrant, count in entrants(effort).items()
    }
    others = {
        Entrant(name): study.cleared(Entrant(name), "other boards", effort.trials)
        for name in (*RULE_BASED, "random")
    }
    typical = Boards.drawn(seed, "typical", effort.shown, "one-by-one", RULES).targets()
    exploits = exhibit(typical, RULES, seed, effort.steps, effort.games, watch)
    large = {samples: games for samples, games in zip((10, 100), effort.large, strict=True) if games}
    rows = [
        *count_rows(),
        *hit_rows(),
        *time_rows(),
        *table_rows(results, others, (SOURCE_TRIALS, effort.trials)),
        *reading_rows(results, others),
        *statement_rows(results, others),
        *number_rows(results),
        *inconsistent_rows(results),
        *mended_rows(results),
        *chance_rows(seed, effort.positions, watch),
        *level_rows(study, results, others),
        *placement_rows(study),
        *exploits.rows,
        *large_rows(seed, large, ("mcs", "mcs-mended"), study.executor, watch),
        *knowledge_rows(),
    ]
    settings: dict[str, Any] = asdict(effort) | {"large": list(effort.large)}
    return Findings(settings, NOTES, tuple(rows), figures(results, others) | exploits.files)


PAPER = Paper(EFFORTS, Study, measure)
