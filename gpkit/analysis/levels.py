"""Levels of play: a chain of programs in which each program beats the program below it by about the same margin.

A level is weak because it sees less. Most steps add a sensor or a decision, and no level draws random numbers.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.files import read_text
from gpkit.core.layout import Sheet, Tabular
from gpkit.core.primitives import RANDOM
from gpkit.core.registry import SECOND, TABLE, shipped_levels, shipped_programs
from gpkit.core.statistics import Interval
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import end_of
from gpkit.genomes.tree import TreeProgram, leaf, node
from gpkit.playing.contest import Courses, Match, Result, deal_of, play_matches
from gpkit.playing.decisions import explain, sensors_read
from gpkit.playing.disagreements import disagreements
from gpkit.playing.named import opponent
from gpkit.playing.players import player_of_program
from gpkit.playing.trace import trace_game

LOW, HIGH, MOST = 0.55, 0.65, 0.7
"""The bounds of a level's share of games against the level below, in a game of two; and a share never reached."""

MARGIN = 0.015
"""The distance from these bounds that a step keeps in the games that choose it."""

ABOVE = 1e9
"""A value above those of programs, small enough to leave room for random digits."""

FOLLOWED = 8
"""The number of games that are followed to find the means of the sensors."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """The conditions for games between players, and functions that play them.

    Attributes:
        game, rules: the game and its rules.
        rivals: the opponents of every player in a game where only the first player has a score.
    """

    game: Game
    rules: Any
    rivals: tuple[Player, ...]

    @classmethod
    def of(cls, game: Game, rules: Any) -> "Meetings":
        """The conditions for games between players of a game."""
        return cls(game, rules, tuple(opponent(name, game) for name in game.rivals(rules)))

    @property
    def seats(self) -> int:
        """The number of players who compete; 2 if everybody plays alone and only scores are compared."""
        return 2 if self.game.metric(self.rules).alone else self.game.players(self.rules)

    def share(self, of_two: float) -> float:
        """The share of a player among equal others, for the Elo difference that gives ``of_two`` for two."""
        odds = of_two / (1.0 - of_two)
        return odds / (odds + self.seats - 1)

    def duels(
        self, pairs: Sequence[tuple[Player, Player]], seed: int, games: int
    ) -> list[tuple[Floats, Courses]]:
        """For each pair, the first player's share of each deal, float64 (deals,), and the courses of the games.

        A score that is not a share counts as a win if it is better than the other's, and as half a win if it is equal.
        """
        metric = self.game.metric(self.rules)
        if metric.alone:
            players = list({player.name: player for pair in pairs for player in pair}.values())
            scores = {
                player.name: values
                for player, values in zip(players, self._alone(players, seed, games), strict=True)
            }
            return [(_won(scores[a.name] - scores[b.name]), None) for a, b in pairs]
        results = self._played([Match(a, (b,)) for a, b in pairs], seed, games)
        if metric.is_share:
            return [(each.by_deal, each.courses) for each in results]
        even = metric.middle if metric.total is None else metric.total / self.seats
        return [(_won(metric.direction * (each.by_deal - even)), each.courses) for each in results]

    def ratings(self, players: Sequence[Player], anchors: Sequence[Player], seed: int, games: int) -> Floats:
        """The strength of each player, float64 (players,): the mean share against the anchors; higher is better.

        If everybody plays alone, it is the mean score, with its sign changed if lower is better.
        """
        if self.game.metric(self.rules).alone:
            return np.array([values.mean() for values in self._alone(players, seed, games)])
        found = self.duels([(each, anchor) for each in players for anchor in anchors], seed, games)
        means: Floats = (
            np.array([by_deal.mean() for by_deal, _ in found]).reshape(len(players), -1).mean(axis=1)
        )
        return means

    def _alone(self, players: Sequence[Player], seed: int, games: int) -> list[Floats]:
        direction = self.game.metric(self.rules).direction
        found = self._played([Match(each, self.rivals[:1]) for each in players], seed, games)
        return [direction * each.by_deal for each in found]

    def _played(self, matches: list[Match], seed: int, games: int) -> list[Result]:
        return play_matches(self.game, matches, rules=self.rules, seed=seed, games=games)

    def _match(self, player: Player, other: Player) -> Match:
        """The match of a player against another one, or alone."""
        return Match(player, self.rivals[:1] if self.game.metric(self.rules).alone else (other,))

    def disagreement(self, one: Player, other: Player, seed: int) -> Interval:
        """The share of states in which two players choose differently, in games against each other or alone."""
        pair = self._match(one, other), self._match(other, one)
        return disagreements(self.game, self.rules, [pair], seed=seed, judging=False).share

    def noisy(self, player: Player, chance: float) -> Player:
        """The player that gives each action a random value above all others with this chance.

        If at least one action gets such a value, all actions are equally likely.
        """
        trees = tuple(
            node("ifle", leaf(RANDOM), leaf(chance), node("+", leaf(ABOVE), leaf(RANDOM)), tree)
            for tree in player.program.trees
        )
        program = type(player.program)(player.program.names, trees)
        return player_of_program(program, self.game, f"{player.name} with noise", player.header)

    def noise(self, player: Player, other: Player, chance: float, seed: int) -> float:
        """The share of random actions of the noisy player in games with another player, without forced actions."""
        table, shares = self._match(player, other).players(self.game.players(self.rules)), list[float]()
        for number in range(FOLLOWED):
            deals = deal_of(self.game, self.rules, seed, number)
            seat = number % self.game.seatings(self.rules)
            steps = trace_game(self.game.name, table, deals, self.rules, seat=seat).steps
            chosen = [step.choices for step in steps if step.is_mine and step.choices > 1]
            shares += [1.0 - (1.0 - chance) ** choices for choices in chosen]
        return float(np.mean(shares)) if shares else 0.0

    def means(self, player: Player, other: Player, seed: int) -> dict[str, float]:
        """The mean of each sensor that a program reads, over the actions it evaluates in games with another player.

        Rules have no means, so their values are 0.
        """
        if player.program.language != TreeProgram.language:
            return dict.fromkeys(player.program.features, 0.0)
        seen: dict[str, list[float]] = {}
        seats, players = self.game.seatings(self.rules), self.game.players(self.rules)
        for number in range(FOLLOWED):
            deals = deal_of(self.game, self.rules, seed, number)
            table = self._match(player, other).players(players)
            turn = number % seats
            table = [*table[-turn:], *table[:-turn]] if turn else table

            def chosen(state: Any, table: list[Player] = table, deals: Any = deals) -> int:
                mover = table[state.current_player]
                action, decision = explain(self.game, mover, state, deals)
                for each in decision.evaluations if mover is player and decision is not None else ():
                    for name in sensors_read(each):
                        seen.setdefault(name, []).append(each.sensors[name])
                return action

            end_of(self.game.begin(table, deals, self.rules), chosen)
        return {name: float(np.mean(values)) for name, values in seen.items()}

    def held(self, player: Player, feature: str, value: float) -> Player:
        """The player whose program reads a constant instead of a sensor, or has one rule less."""
        program = player.program.without(feature, value)
        return player_of_program(program, self.game, f"{player.name} without {feature}", player.header)


def _won(lead: Floats) -> Floats:
    return (1.0 + np.sign(lead)) / 2.0


def reads(player: Player) -> frozenset[str]:
    """The sensors that a program of formulas reads, or the names of a list's rules; none for other players."""
    return getattr(player.program, "features", frozenset())


def adds(upper: Player, lower: Player) -> bool:
    """Whether a program reads a new sensor, has a new rule, or decides at more places than the program below it."""
    if reads(upper) - reads(lower):
        return True
    return bool(upper.program.decisions > getattr(lower.program, "decisions", 0))


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    Attributes:
        number: its number, from 1.
        player: its program, or a search.
        sentence: the sentence that says which sensors the level uses.
        share: the share of games that it wins against the level below, or for the first level against ``random``.
        drops: how much less it wins when a sensor that its sentence names is fixed at its mean.
        adds: whether it reads a new sensor, or decides at more places, compared with the level below.
        second: a second program of equal strength, whose share is against the level itself.
        differs: for a second program, the share of states in which it decides differently than the level.
        noisy: the strongest level with as many random actions as it takes to win as often as this level.
        noise: for such a program, the share of actions that are random.
    """

    number: int
    player: Player
    sentence: str
    share: Interval
    drops: Mapping[str, Interval]
    adds: bool
    second: "Level | None" = None
    differs: Interval | None = None
    noisy: "Level | None" = None
    noise: float = 0.0

    @property
    def name(self) -> str:
        """The name of the level's file."""
        return f"level-{self.number}{SECOND if self.differs else ''}"

    def record(self) -> dict[str, object]:
        """The level as JSON values."""
        return {
            "level": self.number,
            "share": self.share.mean,
            "ci95": self.share.ends,
            "adds": self.adds,
            "drops": {name: drop.ends for name, drop in self.drops.items()},
            "sentence": self.sentence,
            **({"differs": self.differs.ends} if self.differs else {}),
            **({"second": self.second.record()} if self.second else {}),
            **({"noise": self.noisy.noise, "noisy_share": self.noisy.share.mean} if self.noisy else {}),
        }


@dataclass(frozen=True, slots=True)
class Roster(Tabular):
    """The levels of a game.

    Attributes:
        game: the name of the game.
        rules: the rules that differ from the defaults.
        seed: the seed of the held-out games.
        games: the number of held-out games of each pair.
        levels: the levels, lowest first.
        matrix: the share of each level (row) against each other level (column); the first is ``random``.
        others: the share of each other player of the game against the middle level, strongest first.
        bounds: the lowest and the highest share of a step, an even share, and the share that no step reaches.
    """

    game: str
    rules: Mapping[str, str]
    seed: int
    games: int
    levels: tuple[Level, ...]
    matrix: tuple[tuple[float, ...], ...]
    others: Mapping[str, float]
    bounds: tuple[float, float, float, float]

    @property
    def faults(self) -> list[str]:
        """Sentences about the promises that these levels break in held-out games."""
        low, high, even, most = self.bounds
        found = [
            f"level {each.number} wins {each.share.mean:.3f}, {each.share.text}, against the one below"
            for each in self.levels[1:]
            if not low <= each.share.mean <= high or each.share.low <= even or each.share.high >= most
        ]
        if self.levels and self.levels[0].share.low <= even:
            found.append("level 1 is not clearly better than random")
        for upper in range(2, len(self.matrix)):
            found += [
                f"level {upper} does not beat level {lower}"
                for lower in range(upper - 1)
                if self.matrix[upper][lower] <= even
            ]
        found += [
            f"level {each.number} has no sensor or rule that makes it win"
            for each in self.levels
            if not each.drops
        ]
        steps = self.levels[1:]
        if steps and sum(each.adds for each in steps) * 2 <= len(steps):
            found.append("not more than half of the steps add a sensor or a decision")
        return found

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the levels break a promise."""
        return EXIT_FINDINGS if self.faults else EXIT_OK

    def to_rows(self) -> list[Mapping[str, object]]:
        """The levels, lowest first."""
        return [each.record() for each in self.levels]

    def to_json(self) -> dict[str, object]:
        """The levels and their games as JSON values."""
        return {
            "game": self.game,
            "rules": self.rules,
            "seed": self.seed,
            "games": self.games,
            "faults": self.faults,
            "levels": self.to_rows(),
            "matrix": self.matrix,
            "others": self.others,
        }

    def ladder(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The headings and the rows of a table of the levels."""
        noise = ("noise",) if any(each.noisy for each in self.levels) else ()
        rows = []
        for each in self.levels:
            share = (f"{each.noisy.noise:.0%}" if each.noisy else "",) * len(noise)
            rows.append((str(each.number), f"{each.share.mean:.3f}", each.share.text, *share, each.sentence))
        return ("level", "wins", "95% interval", *noise, "sentence"), rows

    @property
    def seconds(self) -> list[str]:
        """A sentence about each second program of a level."""
        return [
            f"{each.name} {each.sentence}; it wins {each.share.mean:.3f}, {each.share.text}, against level "
            f"{each.number}, and decides differently in {each.differs.mean:.0%} of states"
            for each in (level.second for level in self.levels)
            if each and each.differs
        ]

    def told(self) -> Iterator[str | Sheet]:
        """The ladder as a table, and the promises that it breaks."""
        columns, rows = self.ladder()
        yield Sheet(columns, rows, right=columns[1:-1])
        yield f"wins: share of {self.games:,} held-out games of each level against the one below, seed {self.seed}"
        if "noise" in columns:
            yield "noise: share of random actions with which the strongest level wins as often"
        yield from self.seconds
        yield from self.faults


def recorded(game: str) -> Mapping[str, Any]:
    """The contents of ``roster.json`` for a game's levels; empty if the game has none.

    Raises:
        UsageError: the file is damaged.
    """
    table = next((shipped_programs(game)[name].parent / TABLE for name in shipped_levels(game)), None)
    if table is None or not table.is_file():
        return {}
    try:
        stored = json.loads(read_text(str(table)))
        numbers = [
            number for row in stored["levels"] for number in (row["share"], *row["ci95"], row["level"])
        ]
        numbers += [*stored["others"].values(), stored["games"]]
        if {*map(type, numbers)} <= {int, float} and {*map(type, stored["rules"].values())} <= {str}:
            return dict(stored)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise UsageError(f"{table} is not the table of a roster: make it again with gpkit roster, or delete it")


def phrase(meaning: str) -> str:
    """The meaning of a sensor as part of a sentence, without details that only make it more exact.

    >>> phrase("1 if it makes four in a row, else 0"), phrase("cards on its side, on both for a seven, in own hand")
    ('whether it makes four in a row', 'cards on its side in own hand')
    """
    parts = re.split(r"[;:]", meaning)[0].strip().split(", ")
    text = f"{parts[0]} {parts[-1]}" if len(parts) > 2 else parts[0]
    return re.sub(r"^1 if ", "whether ", re.sub(r"^1 for ", "", text))


def sentence(named: Sequence[str], missing: Sequence[str], meanings: Mapping[str, str]) -> str:
    """A sentence about a level: the things that it looks at, and the things that only the level above looks at.

    Names without a meaning are those of rules.
    """
    phrases = [
        [f"at {phrase(meanings[name])}" if name in meanings else f"by the rule {name}" for name in names]
        for names in (named, missing)
    ]
    verb = "look" if meanings else "play"
    looks = f"{verb}s {' and '.join(phrases[0])}" if named else ""
    return "; ".join(filter(None, (looks, f"does not {verb} {' or '.join(phrases[1])}" if missing else "")))


def chain(
    shares: Mapping[tuple[int, int], float],
    count: int,
    ends: int,
    bounds: tuple[float, float, float],
    allows: Callable[[int, int], bool],
    adding: Callable[[int, int], bool],
) -> tuple[int, ...]:
    """The longest chain in equal steps from the first player, which plays at random, to one of the last players.

    Each player in the chain beats all players below it. The first step may be larger than the others.

    Args:
        shares: the share of each player against each weaker one; players are counted from 0, weakest first.
        count: the number of players.
        ends: the number of last players that can be at the top; of equally long chains, the chain with the last of
            these players wins.
        bounds: the lowest and the highest share of a step, and an even share.
        allows: whether the first player can be directly above the second.
        adding: whether the first adds a sensor or a decision to the second; of equally long chains, the chain with the
            most such steps is best.
    """
    low, high, even = bounds
    best: dict[int, tuple[int, ...]] = {0: (0,)}
    for upper in range(1, count):
        found = [
            (*best[lower], upper)
            for lower in range(upper)
            if lower in best
            and low <= shares[upper, lower] <= (high if lower else 1.0)
            and allows(upper, lower)
            and all(shares[upper, each] > even for each in best[lower])
        ]
        if found:
            best[upper] = max(
                found, key=lambda each: (len(each), sum(adding(b, a) for a, b in pairwise(each[1:])))
            )
    tops = [best[top] for top in range(max(1, count - ends), count) if top in best]
    return max(reversed(tops), key=len, default=())
