"""Tables I and II and Figures 3 and 4 of the source: competitions of its agent with its two opponents."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gpkit.draw.chart import Curves, Series, curves_svg, curves_text
from gpkit_experiments.papers.battleships_belief.trials import Competition, Entrant, Floats, Trials
from gpkit_experiments.papers.paper import Claim, Row, above, exact
from gpkit_experiments.papers.units import mean_interval, paired_difference

Results = Mapping[Entrant, Trials]
"""Results of every player on the same boards."""

SOURCE_TRIALS = 100
"""Trials of each of the source's competitions."""

LITTLE = 0.05
"""A share of wins that differs by less does not go with the number of samples, as far as can be told."""

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

    def turned(self) -> "Published":
        """The same as the opponent sees it."""
        return Published(SOURCE_TRIALS - self.wins, self.other_shots, self.shots)


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


NUMBERS: Mapping[str, Callable[[Floats], float]] = {"mean": np.mean, "least": np.min, "most": np.max}
"""What is told of the shots in games won."""


def by_competition(competition: Competition, what: str) -> Floats:
    """A number of the shots in games won of each competition as long as the source's, where any is won."""
    parts = (
        competition.between(first, first + SOURCE_TRIALS).won_shots
        for first in range(0, len(competition.own) - SOURCE_TRIALS + 1, SOURCE_TRIALS)
    )
    return np.array([NUMBERS[what](shots) for shots in parts if len(shots)])


def one_of(published: float, values: Floats) -> Claim | None:
    """Claim that a published number could be of one competition like ours: within two standard deviations of them."""
    if len(values) < 2:
        return None
    width = 2.0 * float(values.std(ddof=1))
    return Claim(above=exact(published - width), below=exact(published + width))


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
    yield from _shot_rows(heading, f"against {opponent}: shots in games won", competition, published)
    yield from _shot_rows(
        heading,
        f"against {opponent}: shots of {opponent} in games won",
        competition.turned(),
        published.turned(),
    )


def _shot_rows(heading: str, quantity: str, competition: Competition, published: Published) -> Iterator[Row]:
    """The shots of one side in the games that it wins: the mean of all, least and most of a competition."""
    shots = competition.won_shots
    if not len(shots):
        return
    level, *ends = published.shots
    claim = mean_claim(level, published.wins, shots)
    yield Row(heading, f"{quantity}, mean", mean_interval(shots), "games won", f"{level:g}", claim)
    for what, said in zip(("least", "most"), ends, strict=True):
        values = by_competition(competition, what)
        if len(values):
            unit = f"competitions of {SOURCE_TRIALS} trials"
            claim = one_of(said, values)
            yield Row(heading, f"{quantity}, {what}", mean_interval(values), unit, str(said), claim)


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
                claim = None if name == "mcs-mended" else win_claim(published.wins)
                yield Row(heading, quantity, share, "trials", said, claim)


def statement_rows(results: Results, others: Results) -> Iterator[Row]:
    """Sentences of sections IV and V on wins and on the number of samples."""
    heading = "What the source says of wins and samples"
    for name in ("mcs-flawed", "mcs"):
        for other in (*RULE_BASED, "random"):
            won = competition_of(results, others, Entrant(name, 100), other).won
            share = mean_interval(won.astype(float), support=(0.0, 1.0))
            quantity = f"{READINGS[name]}, against {RULE_BASED.get(other, other)}: share won, N = 100"
            yield Row(heading, quantity, share, "trials", "superior performance", above(0.5))
        for opponent, told in OPPONENTS.items():
            few, many = (
                competition_of(results, others, Entrant(name, table.samples), opponent) for table in TABLES
            )
            count = min(len(few.own), len(many.own))
            label = f"{READINGS[name]}, against {told}"
            yield from number_rows_of(heading, label, opponent, few.part(count), many.part(count))


def number_rows_of(
    heading: str, label: str, opponent: str, few: Competition, many: Competition
) -> Iterator[Row]:
    """Rows of what ten times as many samples change: wins, and the shots in games won of a competition."""
    gained = paired_difference(many.won, few.won, support=(0.0, 1.0))
    before, after = (table.opponents[opponent] for table in TABLES)
    said = f"{after.wins - before.wins} points, an artifact; more would be expected"
    yield Row(heading, f"{label}: share won, N = 100 minus N = 10", gained, "trials", said, above(0.0))
    quantity = f"{label}: share won, N = 100 minus N = 10, either way"
    said, claim = "not correlated to the number of samples", Claim(exact(-LITTLE), exact(LITTLE))
    yield Row(heading, quantity, gained, "trials", said, claim)
    for place, what in enumerate(("mean", "least")):
        pair = by_competition(few, what), by_competition(many, what)
        both = min(map(len, pair))
        if both > 1:
            values = pair[0][:both] - pair[1][:both]
            fewer = before.shots[place] - after.shots[place]
            quantity = f"{label}: {what} of shots in games won, N = 10 minus N = 100"
            unit = f"competitions of {SOURCE_TRIALS} trials"
            yield Row(heading, quantity, mean_interval(values), unit, f"{fewer:g}", one_of(fewer, values))


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
