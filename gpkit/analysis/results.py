"""The results of commands that play matches, with the tables and sentences that the shell prints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.layout import Sheet, Table, Tabular
from gpkit.core.registry import game_of
from gpkit.core.statistics import Interval
from gpkit.core.wording import counted
from gpkit.gamekit.game import BEST_RESPONSE
from gpkit.playing.contest import Result, repeats_told
from gpkit.playing.evaluation import HeldOutTable
from gpkit.playing.results import Comparison, ExactResult, Strength, compare, pool

if TYPE_CHECKING:
    from gpkit.analysis.ratings import Order, Ratings
    from gpkit.playing.contest import Tournament

INVALID = (
    "Invalid: a program ran out of steps without a move, so it lost the game; `gpkit check` finds some of the loops "
    "that do this, and `gpkit trace` shows where it was."
)


class Measured(Table[Strength]):
    """Results of programs against opponents, with all results of the first program first.

    Attributes:
        speeds: the number of games per second for each result, if it was measured.
    """

    is_timed = True
    speeds: Sequence[float] = ()

    def to_json(self) -> dict[str, object]:
        """The results as JSON values."""
        speeds = [{"games_per_second": each} for each in self.speeds] or [{}] * len(self)
        return {"results": [each.to_json() | more for each, more in zip(self, speeds, strict=True)]}

    def told(self) -> Iterator[str | Sheet]:
        """The results as a table, and sentences that explain them."""
        played = [each for each in self if isinstance(each, Result)]
        if not played:
            yield from exactly_told([each for each in self if isinstance(each, ExactResult)])
            return
        speeds = self.speeds or [0.0] * len(played)
        rows = []
        for each, speed in zip(played, speeds, strict=True):
            names, found = (each.program, each.opponent, each.metric.name), each.interval
            shares = f"{each.games:,}", f"{each.stalled / each.games:.1%}", f"{each.invalid:,}"
            rows.append((*names, f"{found.mean:.4f}", found.text, *shares, f"{speed:,.0f}" if speed else ""))
        heads = ("program", "opponent", "metric", "mean", "95% interval")
        columns = (*heads, "games", "stalled", "invalid", "games/s")
        few = ("games/s", "games", "metric", "stalled", "invalid")
        yield Sheet(columns, rows, right=columns[3:], leave_out=few)
        if any(each.invalid for each in played):
            yield INVALID
        for name in dict.fromkeys(each.game for each in played):
            yield from repeats_told([each for each in played if each.game == name], game_of(name))


class Ladders(Table[HeldOutTable]):
    """The held-out tables of programs, with their results in the trials of their games.

    Attributes:
        seed: the seed of the first set of deals.
    """

    schema = "ladder"
    seed: int = 0

    def to_json(self) -> dict[str, object]:
        """The tables as JSON values."""
        return {"seed": self.seed, "tables": [each.to_json() for each in self]}

    def told(self) -> Iterator[str | Sheet]:
        """Each table, with a line about the training of its program above it."""
        for place, table in enumerate(self):
            if place:
                yield ""
            yield f"{table.program}, trained on: {table.trained}"
            yield from held_out_told(table)


def held_out_told(found: HeldOutTable, against: str = "against") -> Iterator[str | Sheet]:
    """The rows of a held-out table, if it has any, and a sentence if many of the games are identical.

    Args:
        found: the table.
        against: the heading of the column of opponents.
    """
    if found.rows:
        yield found.sheet(against)
        yield from repeats_told(found.rows, game_of(found.game))


def strengths_told(strengths: Sequence[Strength], found: HeldOutTable) -> Iterator[str | Sheet]:
    """Tables of the results of a run's champion.

    Args:
        strengths: the champion's results against the opponents of the run.
        found: the table with these results and those of the quick trials.
    """
    exact = [result for result in strengths if isinstance(result, ExactResult)]
    if exact:
        yield from exactly_told(exact)
    yield from held_out_told(found.beyond(len(exact)), "champion against")


def exactly_told(results: Sequence[ExactResult]) -> Iterator[str | Sheet]:
    """A table of exact results, with the scores for moving first and second if all have both, or with details if not.

    Below the table, a sentence for each program states how much a best response wins against it.
    """
    heads, found = ("program", "opponent", "metric", "mean"), [each.expected for each in results]
    rows = [(each.program, each.opponent, each.metric.name, f"{each.expected.mean:.4f}") for each in results]
    if all(len(each.seatings) > 1 for each in found):
        turns = ("moving first", "moving second")
        known = tuple(name for name in found[0].details if name != BEST_RESPONSE) if found else ()
        by_turns = [
            row + tuple(f"{score:.4f}" for score in (*each.seatings, *(each.details[name] for name in known)))
            for row, each in zip(rows, found, strict=True)
        ]
        numbers = (*turns, *known)
        yield Sheet(heads + numbers, by_turns, right=("mean", *numbers), leave_out=("metric", *turns))
    else:
        detailed = [(*row, each.details_in_words) for row, each in zip(rows, results, strict=True)]
        yield Sheet((*heads, "and"), detailed, right=("mean",), texts=("and",), leave_out=("metric",))
    won = {each.program: each.expected.details.get(BEST_RESPONSE) for each in results}
    for program, scores in won.items():
        if isinstance(scores, list):
            first, second = (f"{score:.4f}" for score in scores)
            yield f"The best response to {program} wins {first} moving first and {second} moving second."


HEADS = ("opponent", "metric")
MEANS = ("first", "second", "difference")


@dataclass(frozen=True, slots=True)
class Compared(Tabular):
    """Two programs compared against opponents.

    Attributes:
        results: one comparison for each opponent.
        overall: the comparison over all opponents, which have equal weights.
    """

    results: tuple[Comparison, ...]
    overall: Comparison

    is_timed = True

    @property
    def verdict(self) -> str:
        """The verdict on the first program: ``better``, ``worse``, ``not distinguished`` or ``equally good``."""
        return self.overall.verdict

    @property
    def rows(self) -> tuple[Comparison, ...]:
        """The comparisons; if there are several, the comparison over all opponents comes last."""
        return self.results if len(self.results) == 1 else (*self.results, self.overall)

    def to_rows(self) -> list[Mapping[str, object]]:
        """The rows as JSON values."""
        return [each.to_json() for each in self.rows]

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the first program is worse."""
        return EXIT_FINDINGS if self.verdict == "worse" else EXIT_OK

    def to_json(self) -> dict[str, object]:
        """The comparisons as JSON values."""
        return {"results": [each.to_json() for each in self.results], "overall": self.overall.to_json()}

    def told(self) -> Iterator[str | Sheet]:
        """The comparisons as a table, and the verdict."""
        columns = (
            (*HEADS, *MEANS, "first is")
            if self.overall.is_exact
            else (*HEADS, *MEANS, "95% interval", "first is", "games each")
        )
        rows = [_compared(row) for row in self.rows]
        few = ("games each", "metric", "first is", "second", "first")
        yield Sheet(columns, rows, right=MEANS, leave_out=[each for each in few if each in columns])
        yield str(self)
        pairs = [each for row in self.rows for each in (row.first, row.second) if isinstance(each, Result)]
        yield from repeats_told(pairs, game_of(self.overall.first.game))

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


def difference_told(found: Interval, form: str) -> tuple[str, str]:
    """The cells that show a difference and its interval, with numbers in the given format."""
    ends = f"{found.low:{form}} to {found.high:{form}}" if found.ends else "none"
    return f"{found.mean:{form}}", ends


def _compared(row: Comparison) -> tuple[str, ...]:
    """The cells of one line of the table."""
    means = (row.first.interval.mean, row.second.interval.mean)
    cells = (row.first.opponent, row.first.metric.name, *(f"{mean:.4f}" for mean in means))
    if row.is_exact:
        return (*cells, f"{row.difference.mean:+.4f}", row.verdict)
    return (*cells, *difference_told(row.difference, "+.4f"), row.verdict, f"{row.first.games:,}")


def compared(results: Sequence[Strength]) -> Compared:
    """The comparison of two programs, based on the results of the matches that ``pair_off`` returns."""
    half = len(results) // 2
    mine, others = results[:half], results[half:]
    comparisons = tuple(compare(*pair) for pair in zip(mine, others, strict=True))
    return Compared(comparisons, comparisons[0] if half == 1 else compare(pool(mine), pool(others)))


@dataclass(frozen=True, slots=True)
class League(Tabular):
    """The result of a tournament in which every player has played every other player.

    Attributes:
        table: the cross table.
        ratings: the rating of each player.
        order: the significant wins and their cycles.
        rules: the rules that differ from the defaults, as strings.
    """

    table: "Tournament"
    ratings: "Ratings"
    order: "Order"
    rules: Mapping[str, str]

    is_timed = True

    def to_rows(self) -> list[Mapping[str, object]]:
        """The ratings, from best to worst."""
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
        """The league as JSON values."""
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

    def told(self) -> Iterator[str | Sheet]:
        """The cross table, the ratings, and the significant wins."""
        table, ratings = self.table, self.ratings
        numbers = [str(number) for number in range(1, len(table.programs) + 1)]
        rows = []
        for number, name, cells in zip(numbers, table.programs, table.cells, strict=True):
            found = [None if cell is None else cell.interval for cell in cells]
            rows.append([number, name, *("" if i is None else f"{i.mean:.4f}{_width(i)}" for i in found)])
        against = [f"against {number}" for number in numbers]
        yield Sheet(["", f"{table.metric.name} of", *against], rows, right=["", *against], repeated=2)
        stalled, invalid, games = (
            sum(getattr(result, each) for result in table.results) for each in ("stalled", "invalid", "games")
        )
        yield f"{games:,} games, {stalled:,} of them stalled, {invalid:,} invalid\n"
        digits = 0 if ratings.model == "plackett-luce" else 3
        lines = [
            (
                each.program,
                f"{each.interval.mean:+.{digits}f}",
                f"{each.interval.low:+.{digits}f} to {each.interval.high:+.{digits}f}",
                f"{each.score:.4f}",
            )
            for each in ratings.ratings
        ]
        columns = ("program", ratings.unit, "95% interval", "mean")
        yield Sheet(columns, lines, right=columns[1:], leave_out=("mean",))
        yield f"ratings predict every cell to within {ratings.misfit:.4f}"
        yield self.order.verdict
        yield from repeats_told(table.results, game_of(table.game))

    def __str__(self) -> str:
        """The verdict in a sentence."""
        return self.order.verdict


def _width(interval: Interval) -> str:
    """Half the width of an interval, as a string; empty if the interval has no ends."""
    return f" ±{interval.half_width:.4f}" if interval.ends else ""
