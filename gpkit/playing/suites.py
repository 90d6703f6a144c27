"""Trials of held-out tables: what is measured, and what a program was trained on.

A game without trials of its own meets its usual opponents, and a game of one's own its other ones, too, a search, and
other rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from gpkit.core.forms import form_of_game
from gpkit.core.registry import has_kernels
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import text_of
from gpkit.gamekit.uct import MCTS
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

    def seeds(self, first: int) -> tuple[int, ...]:
        """The seeds of the sets from the first one on."""
        return tuple(range(first, first + self.sets))


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
    if game.first is None:
        return tuple(Trial(name, games=games) for name in rivals)
    searches = [f"{MCTS}:{SIMULATIONS}"] if MCTS in game.builtins else []
    return (
        *(Trial(name, games=games) for name in dict.fromkeys((*rivals, *game.texts))),
        *(Trial(rivals[:2][-1], options, games=games) for options in _other_rules(game)),
        *(Trial(name, games=GAMES_OF_SEARCH, sets=SETS_OF_SEARCH) for name in searches),
    )


def _other_rules(game: Game) -> Iterator[dict[str, str]]:
    """Rules of a game of one's own that differ in one option: mixed openings, the next numbers, the other words."""
    if openings := game.openings():
        yield {OPENING: openings}
    for option in game.options:
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


def quick_trials(game: Game) -> tuple[Trial, ...]:
    """The trials of a game that are made at the end of every run."""
    return tuple(trial for trial in trials_of(game) if trial.quick)
