"""Tables I and II and Figures 3 and 4 of the source: boards that players clear, and competitions of its agent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.rng import stream
from gpkit.evolution.problem import Executor, none_lost
from gpkit.games.battleship.agents import SamplingAgent, Tally
from gpkit.games.battleship.arena import AGENTS, fleets_of, running_sums, strategy_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.rules import REDRAWS, BattleshipRules, Board, FleetDeals, Placements, draw_deals
from gpkit.playing.players import player_of_name
from gpkit.show.chart import Curves, Series, curves_svg, curves_text
from gpkit_experiments.papers.paper import Claim, Row, above, exact
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval
from gpkit_experiments.sampled_boards import Cleared, clear_board

PLACEMENTS = ("one-by-one", "uniform", "corner", "corners", "lines")
"""Placements that are compared; there is no room for ten ships that stand on the bottom row and do not touch."""

SECONDS = 0.02
"""Expected work of a board, which only decides the size of batches."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the paper.

    Attributes:
        name: of the player in the game.
        samples: at each turn; 0 for those that draw none.
    """

    name: str
    samples: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A fleet, and the key of the shots at it."""

    fleet: Placements
    key: int


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards as the game itself deals them.

    Attributes:
        deals: the keys; the fleets are those of the second player, the shots those of the first.
        placement: of the fleets.
        rules: the board and the fleet.
    """

    deals: FleetDeals
    placement: str
    rules: BattleshipRules

    @classmethod
    def drawn(cls, seed: int, purpose: str, count: int, placement: str, rules: BattleshipRules) -> "Boards":
        """Boards for a purpose; the first of them are the same for any larger count."""
        return cls(draw_deals(stream(seed, purpose), count), placement, rules)

    def targets(self) -> list[Target]:
        """The boards one by one."""
        sums, redraw = running_sums(self.placement, self.rules), REDRAWS.get(self.placement, "fleet")
        fleets = fleets_of(self.deals.keys[:, 1], sums, self.rules, redraw)
        keys = self.deals.keys[:, 0, at.SHOT_KEY].tolist()
        return [Target(tuple(fleet), key) for fleet, key in zip(fleets.tolist(), keys, strict=True)]


@dataclass(frozen=True, slots=True)
class Trials:
    """Results of a player on boards.

    Attributes:
        shots: int64 (boards,).
        inconsistent: float64 (boards,): the share of samples that leave a hit out.
        dropped: float64 (boards,): the share of samples that were given up.
        popped: float64 (boards,): how often a ship was taken up again in a sample, the mean.
    """

    shots: Ints
    inconsistent: Floats
    dropped: Floats
    popped: Floats


def trials(entrant: Entrant, boards: Boards, executor: Executor) -> Trials:
    """Clear boards by a player."""
    if entrant.name not in AGENTS:
        players = [player_of_name(entrant.name, GAME), player_of_name(boards.placement, GAME)]
        shots = GAME.play(players, boards.deals, boards.rules).values[:, 0].astype(np.int64)
        return Trials(shots, *np.zeros((3, len(shots))))
    items = boards.targets()
    seconds = [SECONDS * max(entrant.samples, 10) / 100] * len(items)
    found = none_lost(executor.run(partial(_cleared, entrant, boards.rules), items, seconds))
    drawn = np.array([max(each.tally.drawn, 1) for each in found])
    return Trials(
        np.array([each.shots for each in found]),
        np.array([each.tally.inconsistent for each in found]) / drawn,
        np.array([each.tally.dropped for each in found]) / drawn,
        np.array([each.tally.popped for each in found]) / drawn,
    )


def _cleared(entrant: Entrant, rules: BattleshipRules, boards: Sequence[Target]) -> list[Cleared]:
    return [cleared(entrant, board, rules) for board in boards]


def cleared(entrant: Entrant, board: Target, rules: BattleshipRules) -> Cleared:
    """One board, cleared by an agent."""
    agent = strategy_of(entrant.name)
    if isinstance(agent, SamplingAgent):
        return clear_board(board.fleet, agent.method, rules, entrant.samples, board.key)
    state = Board.of(board.fleet, rules)
    while state.status == "playing":
        state = state.shoot(agent.consider(state, entrant.samples, board.key)[0])
    return Cleared(state.turns, Tally())


@dataclass(frozen=True, slots=True)
class Competition:
    """A competition of two players, who take turns in shooting first.

    Attributes:
        own, other: int64 (trials,): the shots that each of them needs.
        begins: whether the first player shoots first in the first trial.
    """

    own: Ints
    other: Ints
    begins: bool = True

    @property
    def won(self) -> Flags:
        """Whether the first player wins: bool (trials,). Of equal numbers of shots the one wins who shoots first."""
        first = np.arange(len(self.own)) % 2 == int(not self.begins)
        return np.where(first, self.own <= self.other, self.own < self.other)

    @property
    def won_shots(self) -> Floats:
        """The shots of the first player in the trials that it wins: float64 (wins,)."""
        return self.own[self.won].astype(float)

    def turned(self) -> "Competition":
        """The same as the other player sees it."""
        return Competition(self.other, self.own, not self.begins)

    def part(self, count: int) -> "Competition":
        """The first so many trials."""
        return self.between(0, count)

    def between(self, first: int, end: int) -> "Competition":
        """The trials from the first of an even number to before the end."""
        assert first % 2 == 0, "players take turns in shooting first"
        return Competition(self.own[first:end], self.other[first:end], self.begins)


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
    """Claim that a share lies in the 95% interval of the source's own, which is of a hundred trials."""
    known = rate_interval([1.0] * wins + [0.0] * (SOURCE_TRIALS - wins))
    return Claim(above=exact(known.low), below=exact(known.high))


NUMBERS: Mapping[str, Callable[[Floats], float]] = {"mean": np.mean, "least": np.min, "most": np.max}
"""The statistics of the shots in games won."""


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
    share = rate_interval(won.astype(float))
    said = f"{published.wins}%"
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
                share = rate_interval(won.astype(float))
                quantity = f"against {RULE_BASED.get(other, other)}"
                said = f"{published.wins}%"
                claim = None if name == "mcs-mended" else win_claim(published.wins)
                yield Row(heading, quantity, share, "trials", said, claim)


def statement_rows(results: Results, others: Results) -> Iterator[Row]:
    """Sentences of sections IV and V on wins and on the number of samples."""
    heading = "What the source says of wins and samples"
    for name in ("mcs-flawed", "mcs"):
        for other in (*RULE_BASED, "random"):
            won = competition_of(results, others, Entrant(name, 100), other).won
            share = rate_interval(won.astype(float))
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
