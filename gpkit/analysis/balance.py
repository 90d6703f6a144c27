"""The balance of a game: results by seat and by first action, the length of games, and the share of luck.

The players play the same deals in every seating order, so neither a player's strength nor a deal favours a seat.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.analysis.levels import recorded
from gpkit.core.arrays import Floats
from gpkit.core.layout import Sheet, Tabular
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import end_of
from gpkit.playing.contest import BLOCK, repeats_told
from gpkit.playing.decisions import choose
from gpkit.playing.players import explains, names_at_table

FIRST_ACTIONS = 8
"""The maximum number of first actions to show; the most frequent ones are shown."""

LEAST = 10
"""The minimum number of games that a first action needs to get a row in the table."""

NEVER = 1e-3
"""A share of wins below which Elo differences are not told apart."""

RESAMPLES = 1_000
"""The number of bootstrap resamples of the deals for the confidence interval of the share of luck."""


SUBJECTS = {
    "seat": "{} of the seat",
    "player": "{} of the player",
    "first action": "{} of the player who takes it",
    "actions": "actions in a game",
    "forced": "share of the choices with only one legal action",
    "luck": "share of the variance of the {} that the deal explains, whoever sits where",
    "level": "points of Elo above the level below, or above random play, as recorded with the levels",
}
"""The subjects of figures, with their meanings; braces stand for the name of the scores."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a balance.

    Attributes:
        about: the subject of the figure, one of ``SUBJECTS``.
        name: the name of the seat, player or action; empty for other figures.
        value: the figure with its 95% interval; the units are deals.
        games: the number of games that the figure is based on.
    """

    about: str
    name: str
    value: Interval
    games: int


@dataclass(frozen=True, slots=True)
class Balance(Tabular):
    """The balance of a game.

    Attributes:
        game: the name of the game.
        metric: the name of the metric that the scores measure.
        rules: the options of the rules.
        seed: the seed of the deals.
        lines: the figures.
        games: the number of games.
        different_games: the number of distinct games; None if hardly any games repeat, or if the number is unknown.
    """

    game: str
    metric: str
    rules: Mapping[str, str]
    seed: int
    lines: tuple[Figure, ...]
    games: int
    different_games: int | None = None

    def to_rows(self) -> list[dict[str, object]]:
        """The figures, one per row."""
        return [
            {
                "about": each.about,
                "name": each.name,
                "games": each.games,
                "mean": each.value.mean,
                "interval": each.value.ends,
            }
            for each in self.lines
        ]

    def to_json(self) -> dict[str, object]:
        """The game and its figures as JSON values."""
        return {
            "game": self.game,
            "metric": self.metric,
            "rules": self.rules,
            "seed": self.seed,
            "games": self.games,
            "different_games": self.different_games,
            "lines": self.to_rows(),
        }

    def told(self) -> Iterator[str | Sheet]:
        """The figures as a table, and sentences that explain them."""
        columns = ("about", "name", "mean", "95% interval", "games")
        rows = [
            (each.about, each.name, f"{each.value.mean:.4f}", each.value.text, f"{each.games:,}")
            for each in self.lines
        ]
        yield Sheet(columns, rows, right=columns[2:])
        known = {each.about for each in self.lines}
        yield from (
            f"{about}: {text.format(self.metric)}" for about, text in SUBJECTS.items() if about in known
        )
        if "luck" not in known:
            yield "luck: not measured, because a player draws random numbers or does not say whether it does"
        yield from repeats_told([self], game_of(self.game))


_Game = tuple[Sequence[float], str, int, int, int]
"""A game: its scores, the first action and who took it, the number of actions, and how many were the only legal one."""


def balance_of(
    game: Game, players: Sequence[Player], rules: Any, *, seed: int, deals: int, watch: Any = None
) -> Balance:
    """Play every deal once with each rotation of the players, and count the results.

    Args:
        game: the game.
        players: the players, one for each seat.
        rules: the rules.
        seed: the seed of the deals, which are the same as in ``gpkit run``.
        deals: the number of deals.
        watch: called after each deal with the number of games played so far.
    """
    seats, rows, courses = len(players), list[list[_Game]](), list[Any]()
    levels = _levels(game, rules, seats)
    for number in range(deals):
        block, place = divmod(number, BLOCK)
        if not place:
            dealt = game.deal(stream(seed, "match", block), min(BLOCK, deals - number), rules)
            courses.append(None if game.courses is None else game.courses(players, dealt, rules))
        seated = ([*players[turn:], *players[:turn]] for turn in range(seats))
        rows.append([_played(game, each, dealt[place : place + 1], rules) for each in seated])
        if watch is not None:
            watch(len(rows) * seats)
    scores = np.array([[got for got, *_ in row] for row in rows])  # deals, rotations, seats
    metric, games = game.metric(rules), deals * seats
    support = metric.support

    def line(about: str, name: str, values: Any, played: int = games, **bounds: Any) -> Figure:
        return Figure(about, name, mean_interval(values, **bounds), played)

    lines = [
        line("seat", str(seat), scores[:, :, seat].mean(axis=1), support=support) for seat in range(seats)
    ]
    names = names_at_table(players)
    if len({each.name for each in players}) > 1:
        turns = np.arange(seats)
        for place, name in enumerate(names):
            values = scores[:, turns, (place - turns) % seats].mean(axis=1)
            lines.append(line("player", name, values, support=support))
    firsts = Counter(first for row in rows for _, first, *_ in row if first)
    for first, count in firsts.most_common(FIRST_ACTIONS):
        if count >= LEAST:
            found = [[got[opener] for got, own, opener, *_ in row if own == first] for row in rows]
            lines.append(
                line("first action", first, [np.mean(each) for each in found if each], count, support=support)
            )
    lines.append(line("actions", "", [np.mean([actions for *_, actions, _ in row]) for row in rows]))
    shares = [np.mean([forced / max(actions, 1) for *_, actions, forced in row]) for row in rows]
    lines.append(line("forced", "", shares, support=(0.0, 1.0)))
    if deals > 1 and all(map(explains, players)):
        lines.append(Figure("luck", "", _luck(scores[:, :, 0], seed), games))
    lines += levels
    known = all(each is not None for each in courses)
    different = len(np.unique(np.concatenate(courses))) * seats if known else None
    return Balance(game.name, metric.name, rules.to_options(), seed, tuple(lines), games, different)


def _levels(game: Game, rules: Any, seats: int) -> list[Figure]:
    """The distances between the levels of a game, in points of Elo; none if they were recorded under other rules."""
    stored = recorded(game.name)
    if stored and game.make_rules(stored["rules"]).to_options() != rules.to_options():
        return []

    def elo(share: float) -> float:
        share = min(max(share, NEVER), 1.0 - NEVER)
        return 400.0 * float(np.log10(share * (seats - 1) / (1.0 - share)))

    found = []
    for row in stored.get("levels", ()):
        mean, low, high = map(elo, (row["share"], *row["ci95"]))
        value = Interval(mean, low, high, stored["games"])
        found.append(Figure("level", str(row["level"]), value, stored["games"]))
    return found


def _played(game: Game, players: Sequence[Player], deals: Any, rules: Any) -> _Game:
    """Play one game with the players in these seats."""
    state, actions, forced, first, opener = game.begin(players, deals, rules), 0, 0, "", 0

    def chosen(state: Any) -> int:
        nonlocal actions, forced, first, opener
        actions += 1
        is_forced = len(state.legal_actions()) == 1
        forced += is_forced
        action = choose(game, players[state.current_player], state, deals)
        if not first and not is_forced:
            first, opener = game.view.action_text(state, action), state.current_player
        return action

    return end_of(state, chosen).returns(), first, opener, actions, forced


def _luck(scores: Floats, seed: int) -> Interval:
    """The share of the variance of a seat's scores, float64 (deals, rotations), that differences between deals explain.

    The estimate is the intraclass correlation ICC(3, 1), at least 0 (Shrout and Fleiss 1979), which ignores the player
    in the seat. The ends of the interval are percentiles of a bootstrap over deals.
    """
    deals = len(scores)
    picks = stream(seed, "luck").integers(deals, size=(RESAMPLES, deals))
    found = [_correlation(each) for each in (scores, *scores[picks])]
    low, high = np.quantile(found[1:], [0.025, 0.975])
    return Interval(found[0], float(low), float(high), deals)


def _correlation(scores: Floats) -> float:
    deals, rotations = scores.shape
    scores = scores - scores.mean(axis=0)
    means = scores.mean(axis=1, keepdims=True)
    between = rotations * (means**2).sum() / (deals - 1)
    within = ((scores - means) ** 2).sum() / ((deals - 1) * (rotations - 1))
    whole = between + (rotations - 1) * within
    return max(0.0, float((between - within) / whole)) if whole > 1e-12 else 0.0
