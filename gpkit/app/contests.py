"""Contests: programs against opponents, measured, compared, or each against each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpkit.analysis.ratings import Order, Ratings, find_order, rate
from gpkit.app.players import Named, Pairing, Seating, game_for, pair_up, seat
from gpkit.core.errors import UsageError
from gpkit.core.tabular import Tabular
from gpkit.core.wording import Tell, counted, counting
from gpkit.data.features import is_for_data
from gpkit.playing.match import Result
from gpkit.playing.results import (
    Comparison,
    ExactResult,
    Strength,
    compare,
    pool,
    pool_exact,
)
from gpkit.playing.tournament import Tournament, play_league, play_tournament


@dataclass(frozen=True, slots=True)
class Compared(Tabular):
    """Two programs compared against opponents.

    Attributes:
        results: one comparison for each opponent.
        overall: over all opponents, each of which weighs the same.
    """

    results: tuple[Comparison, ...]
    overall: Comparison

    @property
    def verdict(self) -> str:
        """Verdict on the first program: ``better``, ``worse``, ``not distinguished`` or ``equally good``."""
        return self.overall.verdict

    @property
    def rows(self) -> tuple[Comparison, ...]:
        """The comparisons, and behind several of them the one over all opponents."""
        return self.results if len(self.results) == 1 else (*self.results, self.overall)

    def to_rows(self) -> list[Mapping[str, object]]:
        """The rows as JSON values."""
        return [each.to_json() for each in self.rows]

    def __str__(self) -> str:
        """The verdict in a sentence."""
        overall = self.overall
        first, second = overall.first.program, overall.second.program
        if overall.is_exact:
            if overall.verdict == "equally good":
                return f"{first} and {second} are equally good"
            better, difference = f"{first} is {overall.verdict} than {second}", abs(overall.difference.mean)
            return f"{better}, by {difference:.4g}, computed exactly"
        if overall.verdict == "not distinguished":
            deals = counted(overall.difference.units, "deal")
            return f"{first} and {second} cannot be distinguished on {deals}"
        return f"{first} is {overall.verdict} than {second}, by {abs(overall.difference.mean):.4f}"


def check_plays(named: Sequence[Named], way: str) -> None:
    """Check that none of these is a program for data.

    Args:
        named: the programs.
        way: to name a table and a column, in words.

    Raises:
        UsageError: one is, and plays no games.
    """
    for each in named:
        if each.source is not None and is_for_data(each.source.header):
            raise UsageError(
                f"{each.spec} is a program for data, which plays no games: compare on rows, {way}"
            )


def pair_off(
    first: Named, second: Named, opponents: Sequence[Named], game: str | None, options: Mapping[str, str]
) -> list[Pairing]:
    """The matches by which two programs are compared, those of the first one in front.

    Raises:
        UsageError: as of ``pair_up``.
        SourceError: a program has an error for its game.
    """
    meant = game_for([first, second, *opponents], game).name
    return [each for program in (first, second) for each in pair_up(program, opponents, meant, options)]


def compared(results: Sequence[Strength]) -> Compared:
    """The comparison by the results of the matches of ``pair_off``."""
    half = len(results) // 2
    mine, others = results[:half], results[half:]
    comparisons = tuple(compare(*pair) for pair in zip(mine, others, strict=True))
    return Compared(comparisons, comparisons[0] if half == 1 else compare(_pooled(mine), _pooled(others)))


def _pooled(results: Sequence[Strength]) -> Strength:
    """Results of a program as one."""
    exact = [each for each in results if isinstance(each, ExactResult)]
    return pool_exact(exact) if exact else pool([each for each in results if isinstance(each, Result)])


@dataclass(frozen=True, slots=True)
class League(Tabular):
    """Players who have met, each the others.

    Attributes:
        table: the cross table.
        ratings: a number for the strength of each.
        order: who beats whom, and whether that goes round in circles.
        rules: those that are not the usual ones, as texts.
    """

    table: Tournament
    ratings: Ratings
    order: Order
    rules: Mapping[str, str]

    def to_rows(self) -> list[Mapping[str, object]]:
        """The ratings, the best first."""
        return [
            {
                "program": rating.program,
                "rating": rating.interval.mean,
                "ci95": [rating.interval.low, rating.interval.high],
                "mean": rating.score,
            }
            for rating in self.ratings.ratings
        ]

    def to_json(self) -> dict[str, object]:
        """The league as JSON values, but for what was asked for."""
        table, ratings, order = self.table, self.ratings, self.order
        return {
            "game": table.game,
            "metric": table.metric.name,
            "players": table.players,
            "rules": self.rules,
            "programs": table.programs,
            "results": [result.to_json() for result in table.results],
            "model": ratings.model,
            "unit": ratings.unit,
            "misfit": ratings.misfit,
            "ratings": self.to_rows(),
            "wins": order.wins,
            "undecided": order.undecided,
            "cycles": order.cycles,
            "verdict": order.verdict,
        }

    def __str__(self) -> str:
        """The verdict in a sentence."""
        return self.order.verdict


def entrants(named: Sequence[Named], game: str | None, options: Mapping[str, str]) -> Seating:
    """The players of a tournament; where a game has a solo form and a duel, for the duel.

    Raises:
        UsageError: they are too few, do not go together, or play alone by these rules.
        SourceError: a program has an error for the game.
    """
    specs = [each.spec for each in named]
    if len(named) < 2:
        raise UsageError("a tournament needs at least two programs")
    if alike := next((each.spec for k, each in enumerate(named) if each.spec in specs[:k]), None):
        raise UsageError(f"two programs of a tournament are called `{alike}`: give each a name of its own")
    meant = game_for(named, game)
    options = {**meant.duel, **options}
    rules = meant.make_rules(options)
    if meant.seatings(rules) == 1:
        raise UsageError(
            f"under these rules of {meant.name} everybody plays alone: `gpkit run` shows how strong each "
            f"program is, `gpkit list rules --game {meant.name}` which rules can differ"
        )
    return Seating(meant, options, rules, tuple(seat(each, meant) for each in named))


def held_league(
    entered: Seating, seed: int, games: int, series: int | None = None, tell: Tell = str
) -> League:
    """The league of players: a round robin, or with a length of ``series`` a series for each pair.

    Args:
        entered: the players.
        seed: of the deals.
        games: of each ordered pair at least.
        series: games of each series, in which players that learn keep their memory.
        tell: shows how far the work is.

    Raises:
        UsageError: as of ``play_league``.
    """
    game, players, rules = entered.game, entered.players, entered.rules
    pairs = len(players) * (len(players) - 1) // 2
    if series is None:
        watch = counting(tell, 2 * pairs * games)
        table = play_tournament(game, players, rules=rules, seed=seed, games=games, watch=watch)
    else:
        together = series * game.seatings(rules)
        repeat = -(-games // together)
        watch = counting(tell, pairs * repeat * together)
        table = play_league(game, players, rules=rules, seed=seed, games=series, repeat=repeat, watch=watch)
    tell("rating")
    return League(table, rate(table, seed=seed), find_order(table), entered.options)
