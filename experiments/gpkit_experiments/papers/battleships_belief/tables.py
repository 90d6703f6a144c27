"""Tables I and II and Figures 3 and 4 of the source: competitions of its agent with its two opponents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.draw.chart import Series
from gpkit.draw.curves import Curves, curves_svg, curves_text
from gpkit_experiments.papers.battleships_belief.trials import Competition, Entrant, Floats, Trials
from gpkit_experiments.papers.paper import Claim, Row, above, exact

Results = Mapping[Entrant, Trials]
"""Results of every player on the same boards."""

SOURCE_TRIALS = 100
"""Trials of each of the source's competitions."""

READINGS: Mapping[str, str] = {
    "mcs-flawed": "samples ignore touching",
    "mcs": "samples observe touching",
    "mcs-mended": "mended",
}
"""Readings of the sampler, by the name of the player."""

RULE_BASED: Mapping[str, str] = {
    "reference-hits": "rule-based, told hits alone",
    "reference": "rule-based, told sinkings",
    "reference-halo": "rule-based, uses the halo of sunk ships",
}
"""Readings of the source's opponent, by the name of the player."""


@dataclass(frozen=True, slots=True)
class Published:
    """Published results of one competition.

    Attributes:
        wins: of a hundred trials.
        shots: the mean number in the games won, the least and the greatest.
        other_shots: the same of the opponent.
    """

    wins: int
    shots: tuple[float, int, int]
    other_shots: tuple[float, int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the source, by opponent."""

    name: str
    samples: int
    opponents: Mapping[str, Published]


TABLES = (
    Table(
        "Table I",
        10,
        {
            "reference-hits": Published(85, (90.17, 74, 98), (88.16, 86, 92)),
            "random": Published(88, (87.96, 75, 96), (90.48, 86, 97)),
        },
    ),
    Table(
        "Table II",
        100,
        {
            "reference-hits": Published(75, (84.92, 57, 100), (87.8, 83, 99)),
            "random": Published(81, (81.67, 63, 99), (93.56, 86, 100)),
        },
    ),
)

OPPONENTS: Mapping[str, str] = {"reference-hits": "rule-based", "random": "random"}
"""Opponents of the tables by the name of the player."""


def win_claim(wins: int) -> Claim:
    """Claim that a share lies in the 95 % interval of the source's own, which is of a hundred trials."""
    known = mean_interval([1.0] * wins + [0.0] * (SOURCE_TRIALS - wins), support=(0.0, 1.0))
    return Claim(above=exact(known.low), below=exact(known.high))


def mean_claim(published: float, wins: int, values: Floats) -> Claim | None:
    """Claim that a mean is the published one, within twice the standard error of as many wins of our spread."""
    if len(values) < 2:
        return None
    width = 2.0 * float(values.std(ddof=1)) / wins**0.5
    return Claim(above=exact(published - width), below=exact(published + width))


def competition_of(results: Results, others: Results, own: Entrant, other: str) -> Competition:
    """The competition of a sampler with an opponent, in as many trials as both have."""
    mine, theirs = results[own].shots, others[Entrant(other)].shots
    count = min(len(mine), len(theirs))
    return Competition(mine[:count], theirs[:count])


def table_rows(results: Results, others: Results, counts: tuple[int, ...]) -> Iterator[Row]:
    """Both tables in as many trials as the source made and in many, for both readings of the source's sampler."""
    for table in TABLES:
        for count in counts:
            for name in ("mcs-flawed", "mcs"):
                heading = f"{table.name} (N = {table.samples}), {count:,} trials, {READINGS[name]}"
                for opponent, published in table.opponents.items():
                    whole = competition_of(results, others, Entrant(name, table.samples), opponent)
                    yield from competition_rows(heading, OPPONENTS[opponent], whole.part(count), published)


def competition_rows(
    heading: str, opponent: str, competition: Competition, published: Published
) -> Iterator[Row]:
    """One competition: the share of wins, and the shots of the winner on either side."""
    won = competition.won
    share = mean_interval(won.astype(float), support=(0.0, 1.0))
    said = f"{published.wins} %"
    yield Row(
        heading, f"against {opponent}: share of trials won", share, "trials", said, win_claim(published.wins)
    )
    sides = (
        ("shots in games won", competition.own[won], published.shots, published.wins),
        (
            f"shots of {opponent} in games won",
            competition.other[~won],
            published.other_shots,
            SOURCE_TRIALS - published.wins,
        ),
    )
    for what, values, (mean, least, most), wins in sides:
        if len(values):
            shots = values.astype(float)
            quantity = f"against {opponent}: {what}"
            claim = mean_claim(mean, wins, shots)
            yield Row(heading, f"{quantity}, mean", mean_interval(shots), "games won", f"{mean:g}", claim)
            yield Row(heading, f"{quantity}, least", exact(shots.min(), len(shots)), "games won", str(least))
            yield Row(heading, f"{quantity}, most", exact(shots.max(), len(shots)), "games won", str(most))


def reading_rows(results: Results, others: Results) -> Iterator[Row]:
    """Share of trials won, all readings of the sampler against all readings of the opponents."""
    for table in TABLES:
        for name, reading in READINGS.items():
            heading = f"Share of trials won by reading, N = {table.samples}, {reading}"
            for other in (*RULE_BASED, "random"):
                published = table.opponents["random" if other == "random" else "reference-hits"]
                won = competition_of(results, others, Entrant(name, table.samples), other).won
                share = mean_interval(won.astype(float), support=(0.0, 1.0))
                quantity = f"against {RULE_BASED.get(other, other)}"
                said = f"{published.wins} %"
                yield Row(heading, quantity, share, "trials", said, win_claim(published.wins))


def statement_rows(results: Results, others: Results) -> Iterator[Row]:
    """Sentences of sections IV and V on wins and on the number of samples."""
    heading = "What the source says of wins and samples"
    for name in ("mcs-flawed", "mcs"):
        for opponent, told in OPPONENTS.items():
            few, many = (
                competition_of(results, others, Entrant(name, table.samples), opponent) for table in TABLES
            )
            count = min(len(few.own), len(many.own))
            few, many = few.part(count), many.part(count)
            won = mean_interval(many.won.astype(float), support=(0.0, 1.0))
            label = f"{READINGS[name]}, against {told}"
            yield Row(
                heading,
                f"{label}: share won, N = 100",
                won,
                "trials",
                "superior performance",
                above(0.5),
            )
            gained = paired_difference(many.won, few.won, support=(0.0, 1.0))
            said = f"{-10 if told == 'rule-based' else -7} points, an artifact; more would be expected"
            yield Row(
                heading, f"{label}: share won, N = 100 minus N = 10", gained, "trials", said, above(0.0)
            )
        fewer = paired_difference(
            results[Entrant(name, 10)].shots[:count], results[Entrant(name, 100)].shots[:count]
        )
        quantity = f"{READINGS[name]}: shots, N = 10 minus N = 100"
        yield Row(heading, quantity, fewer, "boards", "90.17 to 84.92, 87.96 to 81.67", above(0.0))


def figures(results: Results, others: Results) -> dict[str, str]:
    """Figures 3 and 4 as data and as pictures, in as many trials as the source made."""
    files = {}
    for name, reading in READINGS.items():
        for number, (opponent, told) in enumerate(OPPONENTS.items(), 3):
            curves = Curves(
                f"Figure {number}: against {told}, {reading}",
                tuple(_lines(results, others, name, opponent)),
                "shots",
                x="trial won",
            )
            path = f"{name}/figure-{number}"
            files[f"{path}.txt"] = curves_text(curves)
            files[f"{path}.svg"] = curves_svg(curves)
    return files


def _lines(results: Results, others: Results, name: str, opponent: str) -> Iterator[Series]:
    """The shots of each trial won, and their mean; the shorter line goes on with its last value."""
    won = {}
    for table in TABLES:
        whole = competition_of(results, others, Entrant(name, table.samples), opponent)
        part = whole.part(SOURCE_TRIALS)
        won[table.samples] = part.own[part.won].astype(float)
    longest = max(map(len, won.values()))
    for samples, shots in won.items():
        if len(shots):
            padded = np.concatenate([shots, np.full(longest - len(shots), shots[-1])])
            points = tuple((float(place), float(value)) for place, value in enumerate(padded, 1))
            yield Series(f"N = {samples}", points)
            mean = float(shots.mean())
            yield Series(f"mean, N = {samples}", ((1.0, mean), (float(longest), mean)))
