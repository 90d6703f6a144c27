"""Held-out tables: what a program reaches where it was trained, and beside it where it was not.

Their lines are trials: what is measured, and what of it a program was trained on. A game without trials of its own
meets its usual opponents, and a game of one's own its other ones, too, a search, and other rules.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.plugins import file_of, shown_path
from gpkit.core.registry import form_of_game, has_kernels
from gpkit.core.statistics import Interval
from gpkit.core.tabular import Sheet, Tabular
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import text_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.uct import MCTS
from gpkit.playing.contest import contest, finished
from gpkit.playing.match import Match, Watch
from gpkit.playing.results import Strength, chained, expect_match
from gpkit.user_games.rules import LONGEST, OPENING

SETS = 5
"""Disjoint sets of deals of a trial that is sampled."""

LADDER_SEED = 171_001
"""Seed of the first set where none is named: neither evolution nor learning draws from it."""

GAMES, GAMES_WITHOUT_KERNELS = 4_000, 200
"""Games of a set where a game has no trials of its own; fewer where they are not compiled."""

SIMULATIONS, GAMES_OF_SEARCH, SETS_OF_SEARCH = 100, 10, 2
"""Random games before each choice of a search that programs of games of one's own meet, and the games of its sets."""

Novelty = Literal["opponent", "rules", "deals"]
"""Part of a trial that the training of a program had no part of."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One line of a held-out table: an opponent, rules, and deals to play or an exact result.

    Attributes:
        opponent: a name of the game, which sits in all other seats.
        options: the rules that are not the default ones, as texts by name.
        games: of each set of deals, rounded up to whole deals.
        sets: how many disjoint sets of deals; their seeds follow one another.
        exact: whether the result is computed; it is played all the same if the program draws random numbers.
        quick: whether it costs so little that it is made at the end of every run.
    """

    opponent: str
    options: Mapping[str, str] = field(default_factory=dict)
    games: int = GAMES
    sets: int = SETS
    exact: bool = False
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """Opponents that a program met in training, under one set of rules."""

    opponents: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def met(self) -> tuple[Mapping[str, str], ...]:
        """The rules of its games: where an opening may be of no action, those without one, too."""
        plain = {key: text for key, text in self.options.items() if key != OPENING}
        begun = self.options.get(OPENING, "").startswith("0-")
        return (dict(self.options), plain) if begun else (dict(self.options),)

    def __str__(self) -> str:
        """The ground in words, such as ``chain, chain+ex12 on board=4x4``."""
        names = ", ".join(self.opponents)
        return f"{names} on {options_text(self.options)}" if self.options else names


@dataclass(frozen=True, slots=True)
class Training:
    """Training of a program: all that it was trained and tuned on.

    Its text is ``chain, chain+ex12; chain on board=4x4; deals 31001, 31002``: grounds, and the seeds of matches by
    which something was chosen. ``nothing`` is that of a program that was written by hand.
    """

    grounds: tuple[Ground, ...] = ()
    seeds: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The text from which ``read_training`` reads it."""
        parts = [str(ground) for ground in self.grounds]
        if self.seeds:
            parts.append("deals " + ", ".join(map(str, self.seeds)))
        return "; ".join(parts) or NOTHING

    def novelties(self, trial: Trial, seeds: Sequence[int]) -> tuple[Novelty, ...]:
        """Parts of a trial that the training never met; none for a trial that was trained on.

        Args:
            trial: what is measured.
            seeds: of its deals; none where the result is exact.
        """
        same = [ground for ground in self.grounds if dict(trial.options) in ground.met]
        known = {name for ground in same or self.grounds for name in ground.opponents}
        found: list[Novelty] = []
        if trial.opponent not in known:
            found.append("opponent")
        if not same:
            found.append("rules")
        if seeds and not set(seeds) & set(self.seeds):
            found.append("deals")
        return tuple(found)


NOTHING = "nothing"


def read_training(text: str) -> Training:
    """The training that a line of a header says; whatever stands there is compared with names, and never looked up.

    >>> str(read_training("chain, chain+ex12 ; deals 7"))
    'chain, chain+ex12; deals 7'
    """
    grounds: list[Ground] = []
    seeds: list[int] = []
    for part in (each.strip() for each in text.split(";")):
        word, _, rest = part.partition(" ")
        numbers = _items(rest)
        is_seed = all(each.isascii() and each.isdecimal() and len(each) < 20 for each in numbers)
        if word == "deals" and is_seed:
            seeds += map(int, numbers)
            continue
        names, on, rules = part.rpartition(" on ")
        pairs = [pair.partition("=") for pair in rules.split()]
        has_rules = bool(on) and all(key and value for key, _, value in pairs)
        opponents = _items(names if has_rules else part)
        if opponents and part != NOTHING:
            options = {key: value for key, _, value in pairs} if has_rules else {}
            grounds.append(Ground(opponents, options))
    return Training(tuple(grounds), tuple(seeds))


def _items(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (item.strip() for item in text.split(","))))


def options_text(options: Mapping[str, str]) -> str:
    """Rules as ``--rules`` takes them, one after another."""
    return " ".join(f"{name}={value}" for name, value in options.items())


def without_default_rules(training: Training, game: Game) -> Training:
    """The training without rules that are the default ones of the game anyway, as trials have them."""
    grounds = (Ground(each.opponents, non_default_rules(each.options, game)) for each in training.grounds)
    return Training(tuple(grounds), training.seeds)


def non_default_rules(options: Mapping[str, str], game: Game) -> dict[str, str]:
    """The rules among some that are not the default ones of the game."""
    defaults: Mapping[str, str] = game.make_rules({}).to_options()
    return {key: text for key, text in options.items() if defaults.get(key) != text}


def shortened(trial: Trial, games: int) -> Trial:
    """The trial with at most so many games in all."""
    return replace(trial, games=max(1, min(trial.games, games // trial.sets)))


@runtime_checkable
class Trying(Protocol):
    """Trials of a game, the lines of its held-out tables: ``forms.suites`` beside it."""

    @property
    def SUITES(self) -> tuple[Trial, ...]: ...  # noqa: N802


def trials_of(game: Game) -> tuple[Trial, ...]:
    """The trials of a game."""
    own = form_of_game(Trying, "suites", game.name)
    if own is not None:
        return own.SUITES
    games = GAMES if has_kernels(game.name) else GAMES_WITHOUT_KERNELS
    rivals = game.rivals(game.make_rules({}))
    if not game.is_of_states:
        return tuple(Trial(name, games=games) for name in rivals)
    searches = [f"{MCTS}:{SIMULATIONS}"] if MCTS in game.builtins else []
    texts = (name for name, text in game.programs.items() if text)
    return (
        *(Trial(name, games=games) for name in dict.fromkeys((*rivals, *texts))),
        *(Trial(rivals[:2][-1], options, games=games) for options in _other_rules(game)),
        *(Trial(name, games=GAMES_OF_SEARCH, sets=SETS_OF_SEARCH) for name in searches),
    )


def chosen(game: Game, games: int | None, *, quick: bool = False) -> list[Trial]:
    """The trials of a game, each with at most so many games."""
    trials = [trial for trial in trials_of(game) if trial.quick or not quick]
    return trials if games is None else [shortened(trial, games) for trial in trials]


def _other_rules(game: Game) -> Iterator[dict[str, str]]:
    """Rules of a game of one's own that differ in one option: mixed openings, the next numbers, the other words."""
    if openings := game.openings():
        yield {OPENING: openings}
    for option in game.all_options:
        default = option.default
        if option.name in (OPENING, LONGEST) or default is None:
            continue
        if option.choices:
            values = [word for word in option.choices if word != text_of(default)]
        elif isinstance(default, int):
            values = [
                str(value) for value in (default - 1, default + 1) if option.low <= value <= option.high
            ]
        else:
            values = []
        yield from ({option.name: value} for value in values)


TRAINED, HELD_OUT, NOT_SAID = "trained", "held out", "not said"


@dataclass(frozen=True, slots=True)
class Row:
    """One trial with its result.

    Attributes:
        trial: what was measured, and how: one that could not be computed after all is not exact.
        seeds: of the sets of deals; none where the result is exact.
        novelties: what of the trial had no part in training; None where the training is not known.
        metric: the score.
        interval: the mean over all deals with its 95 % interval, the deal being the unit; without units if it is exact.
        sets: the mean over the deals of each set.
        games: in all.
        stalled, invalid: of these, those that a cap on length or on steps ended.
        different_games: those of which none is another one again; None where hardly any are, or it is not known.
    """

    trial: Trial
    seeds: tuple[int, ...]
    novelties: tuple[Novelty, ...] | None
    metric: str
    interval: Interval
    sets: tuple[float, ...] = ()
    games: int = 0
    stalled: int = 0
    invalid: int = 0
    different_games: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the result was computed."""
        return not self.seeds

    @property
    def part(self) -> str:
        """``trained``, ``held out``, or ``not said`` where the training is not known."""
        if self.novelties is None:
            return NOT_SAID
        return HELD_OUT if self.novelties else TRAINED

    @property
    def held_out(self) -> str:
        """Novelties in words; deals are not named beside what says more."""
        if not self.novelties:
            return self.part
        return ", ".join(each for each in self.novelties if each != "deals") or "deals"

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """The line of the table; a single deal has no interval."""
        rules, held_out = options_text(self.trial.options), self.held_out
        interval = "exact" if self.is_exact else self.interval.text
        mean, games = f"{self.interval.mean:.4f}", f"{self.games:,}" if self.games else ""
        if self.invalid:
            games += f", {self.invalid:,} invalid"
        return self.trial.opponent, rules, held_out, mean, interval, games

    def commands(self, program: str, game: str) -> tuple[str, ...]:
        """The commands that measure it again, one for each set of deals."""
        rules = [part for pair in self.trial.options.items() for part in ("--rules", "=".join(pair))]
        external = file_of(game)
        where = game if external is None else shown_path(external[0])
        start = ["gpkit", "run", program, "--game", where, "--opponent", self.trial.opponent, *rules]
        if self.is_exact:
            return (shlex.join([*start, "--exact"]),)
        games = ["--games", str(self.trial.games)]
        return tuple(shlex.join([*start, *games, "--seed", str(seed)]) for seed in self.seeds)

    def to_json(self, program: str, game: str) -> dict[str, object]:
        """The row as JSON values."""
        return {
            "opponent": self.trial.opponent,
            "rules": dict(self.trial.options),
            "part": self.part,
            "held_out": None if self.novelties is None else list(self.novelties),
            "metric": self.metric,
            "mean": self.interval.mean,
            "ci95": self.interval.ends,
            "exact": self.is_exact,
            "deals": self.interval.units,
            "games": self.games,
            "different_games": self.different_games,
            "stalled": self.stalled,
            "invalid": self.invalid,
            "seeds": list(self.seeds),
            "games_of_set": self.trial.games,
            "sets": list(self.sets),
            "command": self.commands(program, game)[0],
        }


@dataclass(frozen=True, slots=True)
class HeldOutTable(Tabular):
    """A program on the trials of its game, with what it was trained and tuned on.

    Attributes:
        program: its name, as the commands name it.
        game: the game's name.
        training: what the program or its run says; None where nothing is said.
        rows: one for each trial.
    """

    program: str
    game: str
    training: Training | None
    rows: tuple[Row, ...]

    @property
    def trained(self) -> str:
        """The training in words."""
        return NOT_SAID if self.training is None else str(self.training)

    def sheet(self, against: str = "against") -> Sheet:
        """The rows as a table; one of exact results alone has neither intervals nor games.

        Args:
            against: the heading of the opponents.
        """
        metrics = ", ".join(dict.fromkeys(row.metric for row in self.rows))
        heads = (against, "rules", "held out", metrics, "95 % interval", "games")
        kept = heads[:4] if all(row.is_exact for row in self.rows) else heads
        rows = [row.cells[: len(kept)] for row in self.rows]
        return Sheet(kept, rows, right=kept[3:], texts=("rules",), leave_out=kept[5:])

    def beyond(self, count: int) -> "HeldOutTable":
        """The table without so many first rows."""
        return replace(self, rows=self.rows[count:])

    def to_rows(self) -> list[dict[str, object]]:
        """The rows as JSON values."""
        return [row.to_json(self.program, self.game) for row in self.rows]

    def __str__(self) -> str:
        """The rows, one in a line."""
        lines = [" ".join(filter(None, cells)) for cells in self.sheet().rows]
        return "\n".join([f"{self.program}, trained on: {self.trained}", *lines])

    def to_json(self) -> dict[str, object]:
        """The table as JSON values."""
        return {
            "program": self.program,
            "game": self.game,
            "trained": None if self.training is None else str(self.training),
            "rows": self.to_rows(),
        }


def row_of(results: Sequence[Strength], trial: Trial, seeds: Sequence[int], training: Training | None) -> Row:
    """The row of a trial from its results: an exact one, or one for each seed, pooled with the deal as the unit.

    Its trial is the one that was made: on so many sets of deals, none for an exact result.
    """
    found = chained(results)
    made = replace(trial, exact=not seeds, sets=len(seeds), games=trial.games if seeds else 0, quick=False)
    return Row(
        made,
        tuple(seeds),
        None if training is None else training.novelties(trial, seeds),
        found.metric.name,
        found.interval,
        tuple(each.mean for each in results) if seeds else (),
        found.games,
        found.stalled,
        found.invalid,
        found.different_games,
    )


def measure(
    game: Game,
    player: Player,
    trials: Sequence[tuple[Trial, Player]],
    *,
    seed: int,
    training: Training | None = None,
    watch: Watch | None = None,
) -> HeldOutTable:
    """The table of a player on trials.

    Args:
        game: the game.
        player: the program.
        trials: each with its opponent, seated.
        seed: of the first set of deals of every trial.
        training: what the program was trained on, if that is known.
        watch: is told the number of games played in all, again and again.

    Raises:
        UsageError: a trial cannot be played.
    """
    rows: list[Row] = []
    played = 0
    for trial, opponent in trials:
        match, rules = Match(player, (opponent,)), game.make_rules(trial.options)
        results: list[Strength] = []
        seeds = range(seed, seed + trial.sets)
        if trial.exact and game.exact is not None:
            with suppress(UsageError):  # a program that draws random numbers is played
                results, seeds = [expect_match(game, match, rules)], range(0)
        for number in seeds:
            deals = range(-(-trial.games // game.seatings(rules)))
            totals = finished(contest(game, [match], rules=rules, seed=number, deals=deals), watch, played)
            played += totals.games
            results += totals.results
        rows.append(row_of(results, trial, seeds, training))
    return HeldOutTable(player.name, game.name, training, tuple(rows))
