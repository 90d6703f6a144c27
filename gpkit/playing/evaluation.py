"""Held-out tables: the results of a program under its training conditions, and under new conditions.

Each row shows a trial, its result, and those parts of the trial that did not occur in training. If a game declares no
trials, the program plays the game's default opponents. The trials of a user's game also cover its other opponents, a
search, and other rules.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from gpkit.core.errors import UsageError
from gpkit.core.layout import Sheet, Tabular
from gpkit.core.plugins import typed_name
from gpkit.core.registry import has_kernels
from gpkit.core.statistics import Interval
from gpkit.gamekit.forms import GAMES, Trial
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import text_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.uct import MCTS
from gpkit.playing.contest import Match, Watch, play_matches
from gpkit.playing.results import Strength, chained, expect_match
from gpkit.user_games.rules import LONGEST, OPENING

LADDER_SEED = 171_001
"""The default seed of the first set of deals; neither evolution nor learning uses this seed."""

GAMES_WITHOUT_KERNELS = 200
"""The number of games in a set for games without trials and without kernels; with kernels, the number is ``GAMES``."""

SIMULATIONS, GAMES_OF_SEARCH, SETS_OF_SEARCH = 100, 10, 2
"""Search settings in trials of users' games: random games before each choice, games in a set, and number of sets."""

UnseenPart = Literal["opponent", "rules", "deals"]
"""A part of a trial that did not occur in a program's training."""


@dataclass(frozen=True, slots=True)
class TrainingSetup:
    """The opponents that a program played against in training, under one set of rules."""

    opponents: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def met(self) -> tuple[Mapping[str, str], ...]:
        """The rules of the training games, and if the opening can be empty, also the rules without an opening."""
        plain = {key: text for key, text in self.options.items() if key != OPENING}
        begun = self.options.get(OPENING, "").startswith("0-")
        return (dict(self.options), plain) if begun else (dict(self.options),)

    def __str__(self) -> str:
        """The setup in words, such as ``chain, chain+ex12 on board=4x4``."""
        names = ", ".join(self.opponents)
        return f"{names} on {options_text(self.options)}" if self.options else names


@dataclass(frozen=True, slots=True)
class Training:
    """The training of a program: all setups and deals on which the program was trained and tuned.

    The text form is, for example, ``chain, chain+ex12; chain on board=4x4; deals 31001, 31002``: the setups, followed
    by the seeds of the matches that were used to choose between programs. For a hand-written program, the text is
    ``nothing``.
    """

    setups: tuple[TrainingSetup, ...] = ()
    seeds: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The training as text, which ``read_training`` can read back."""
        parts = [str(setup) for setup in self.setups]
        if self.seeds:
            parts.append("deals " + ", ".join(map(str, self.seeds)))
        return "; ".join(parts) or NOTHING

    def unseen(self, trial: Trial, seeds: Sequence[int]) -> tuple[UnseenPart, ...]:
        """The parts of a trial that did not occur in training; empty if the program was trained on all parts.

        Args:
            trial: the trial to measure.
            seeds: the seeds of its deals; empty if the result is exact.
        """
        same = [setup for setup in self.setups if dict(trial.options) in setup.met]
        known = {name for setup in same or self.setups for name in setup.opponents}
        found: list[UnseenPart] = []
        if trial.opponent not in known:
            found.append("opponent")
        if not same:
            found.append("rules")
        if seeds and not set(seeds) & set(self.seeds):
            found.append("deals")
        return tuple(found)


NOTHING = "nothing"


def read_training(text: str) -> Training:
    """The training that a header line states; the names in it are only compared with others, never looked up.

    >>> str(read_training("chain, chain+ex12 ; deals 7"))
    'chain, chain+ex12; deals 7'
    """
    setups: list[TrainingSetup] = []
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
            setups.append(TrainingSetup(opponents, options))
    return Training(tuple(setups), tuple(seeds))


def _items(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (item.strip() for item in text.split(","))))


def options_text(options: Mapping[str, str]) -> str:
    """The rules in the notation of ``--rules``, separated by spaces."""
    return " ".join(f"{name}={value}" for name, value in options.items())


def without_default_rules(training: Training, game: Game) -> Training:
    """The training without rules that equal the game's defaults, which trials also omit."""
    return Training(
        tuple(
            TrainingSetup(each.opponents, non_default_rules(each.options, game)) for each in training.setups
        ),
        training.seeds,
    )


def non_default_rules(options: Mapping[str, str], game: Game) -> dict[str, str]:
    """The rules that differ from the game's defaults."""
    defaults: Mapping[str, str] = game.make_rules({}).to_options()
    return {key: text for key, text in options.items() if defaults.get(key) != text}


def shortened(trial: Trial, games: int) -> Trial:
    """The trial, reduced to at most this many games in total."""
    return replace(trial, games=max(1, min(trial.games, games // trial.sets)))


def trials_of(game: Game) -> tuple[Trial, ...]:
    """The trials of a game."""
    own = game.forms.suites()
    if own is not None:
        return own
    games = GAMES if has_kernels(game.name) else GAMES_WITHOUT_KERNELS
    rivals = game.rivals(game.make_rules({}))
    if not game.is_of_states:
        return tuple(Trial(name, games=games) for name in rivals)
    searches = [f"{MCTS}:{SIMULATIONS}"] if MCTS in game.builtins else []
    texts = (name for name, text in game.programs.items() if text)
    return (
        *(Trial(name, games=games) for name in dict.fromkeys((*rivals, *texts))),
        *(Trial(rivals[:2][-1], options, games=games) for options in _other_rules(game)),
        *(Trial(name, games=GAMES_OF_SEARCH, sets=SETS_OF_SEARCH, quick=True) for name in searches),
    )


def chosen(game: Game, games: int | None, *, quick: bool = False) -> list[Trial]:
    """The trials of a game, each reduced to at most this many games."""
    trials = [trial for trial in trials_of(game) if trial.quick or not quick]
    return trials if games is None else [shortened(trial, games) for trial in trials]


def _other_rules(game: Game) -> Iterator[dict[str, str]]:
    """Rules of a user's game with one option changed: to random openings, to an adjacent number, or to another word."""
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
        trial: the trial that was played; its ``exact`` is False if the exact result could not be computed.
        seeds: the seeds of the sets of deals; empty if the result is exact.
        unseen: those parts of the trial that did not occur in training; None if the training is unknown.
        metric: the score.
        interval: the mean over all deals with its 95% interval; its ``units`` is the number of deals, or 0 for an exact
            result.
        sets: the mean of each set of deals.
        games: the total number of games.
        stalled: the number of these games that reached the length limit.
        invalid: the number of these games in which a program exceeded its step limit.
        different_games: the number of different games; None if hardly any games are identical, or if this is unknown.
    """

    trial: Trial
    seeds: tuple[int, ...]
    unseen: tuple[UnseenPart, ...] | None
    metric: str
    interval: Interval
    sets: tuple[float, ...] = ()
    games: int = 0
    stalled: int = 0
    invalid: int = 0
    different_games: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the result was computed exactly."""
        return not self.seeds

    @property
    def part(self) -> str:
        """``trained`` or ``held out``, or ``not said`` if the training is unknown."""
        if self.unseen is None:
            return NOT_SAID
        return HELD_OUT if self.unseen else TRAINED

    @property
    def held_out(self) -> str:
        """The new parts of the trial, in words; deals are mentioned only if nothing else is new."""
        if not self.unseen:
            return self.part
        return ", ".join(each for each in self.unseen if each != "deals") or "deals"

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """The cells of the table row; the interval is empty if there is only one deal."""
        rules, held_out = options_text(self.trial.options), self.held_out
        interval = "exact" if self.is_exact else self.interval.text
        mean, games = f"{self.interval.mean:.4f}", f"{self.games:,}" if self.games else ""
        if self.invalid:
            games += f", {self.invalid:,} invalid"
        return self.trial.opponent, rules, held_out, mean, interval, games

    def commands(self, program: str, game: str) -> tuple[str, ...]:
        """The commands that repeat the trial, one for each set of deals."""
        rules = [part for pair in self.trial.options.items() for part in ("--rules", "=".join(pair))]
        where = ["--game", typed_name(game), "--opponent", self.trial.opponent]
        start = ["gpkit", "run", program, *where, *rules]
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
            "held_out": None if self.unseen is None else list(self.unseen),
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
    """The results of a program in the trials of its game, with the training of the program.

    Attributes:
        program: the name of the program, as used in commands.
        game: the game's name.
        training: the training according to the program or its run; None if neither states the training.
        rows: one row for each trial.
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
        """The rows as a table, which has no columns for intervals and games if all results are exact.

        Args:
            against: the heading of the opponents' column.
        """
        metrics = ", ".join(dict.fromkeys(row.metric for row in self.rows))
        heads = (against, "rules", "held out", metrics, "95% interval", "games")
        kept = heads[:4] if all(row.is_exact for row in self.rows) else heads
        rows = [row.cells[: len(kept)] for row in self.rows]
        return Sheet(kept, rows, right=kept[3:], texts=("rules",), leave_out=kept[5:])

    def beyond(self, count: int) -> "HeldOutTable":
        """The table without its first ``count`` rows."""
        return replace(self, rows=self.rows[count:])

    def to_rows(self) -> list[dict[str, object]]:
        """The rows as JSON values."""
        return [row.to_json(self.program, self.game) for row in self.rows]

    def __str__(self) -> str:
        """The rows, one per line."""
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
    """The row for a trial, made from one exact result, or from one result for each seed, pooled by deal.

    The row's ``trial`` describes what was played: one set of deals for each seed, or none for an exact result.
    """
    found = chained(results)
    made = replace(trial, exact=not seeds, sets=len(seeds), games=trial.games if seeds else 0, quick=False)
    return Row(
        made,
        tuple(seeds),
        None if training is None else training.unseen(trial, seeds),
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
    """Measure the strength of a player in trials, and return the table of results.

    Args:
        game: the game.
        player: the program.
        trials: the trials, each with its opponent as a player.
        seed: the seed of the first set of deals in every trial.
        training: the training of the program; None if it is unknown.
        watch: called repeatedly with the total number of games so far.

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
            with suppress(UsageError):  # a program that draws random numbers plays games instead
                results, seeds = [expect_match(game, match, rules)], range(0)
        for number in seeds:
            results += play_matches(
                game, [match], rules=rules, seed=number, games=trial.games, watch=watch, before=played
            )
            played += results[-1].games
        rows.append(row_of(results, trial, seeds, training))
    return HeldOutTable(player.name, game.name, training, tuple(rows))
