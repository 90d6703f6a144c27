"""Ready configurations, by name: those of the games, each beside its game, and one for each game from outside."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from gpkit.core.entry import Entry
from gpkit.core.registry import DEFAULT_LANGUAGE, GAMES, all_games, language_entry
from gpkit.evolution.config import (
    BloatSettings,
    Config,
    FitnessSettings,
    LimitsSettings,
    PopulationSettings,
    RaceSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.gamekit.game import language_of_alphabet

SEARCH = Config(
    alphabet="all",
    population=PopulationSettings(size=200),
    scheme=SchemeSettings(name="generational", elites=4),
    selection=SelectionSettings(name="tournament", size=4),
    limits=LimitsSettings(size=30),
    bloat=BloatSettings(penalty=0.0004, free=10),
    fitness=FitnessSettings(opponents=(), deals=20, hall=3, hall_every=8, candidates=3, validation_deals=200),
    race=RaceSettings(first=5, keep=0.3),
    refinement=RefinementSettings(rounds=3, candidates=20, deals=200),
    stop=StopSettings(generations=30),
)
"""Settings of ``OWN`` of each language: for a game of one's own, against its usual opponents and former champions."""


@cache
def shipped_presets() -> Mapping[str, Config]:
    """The ready configurations of the games of the package: ``PRESETS`` of the modules ``presets`` beside them."""
    external: list[Mapping[str, Config]] = [
        entry.part("presets").PRESETS for entry in GAMES if entry.has_part("presets")
    ]
    return {name: config for presets in external for name, config in presets.items()}


class _Ready(Mapping[str, Config]):
    """The ready configurations, of which those for games from outside are made when they are asked for."""

    def __init__(self) -> None:
        shipped = {entry.name for entry in GAMES}
        self._outside = {each.name: each for each in all_games() if each.origin and each.name not in shipped}

    def _found(self, name: str) -> tuple[Entry | None, str]:
        """The game from outside of a configuration, and the alphabet if its name says one, as in ``chomp-trees``."""
        game, _, alphabet = name.rpartition("-")
        return (self._outside[name], "") if name in self._outside else (self._outside.get(game), alphabet)

    def __getitem__(self, name: str) -> Config:
        """The configuration of that name.

        Raises:
            UsageError: the game has no such alphabet.
        """
        if name in shipped_presets():
            return shipped_presets()[name]
        entry, alphabet = self._found(name)
        if entry is None:
            raise KeyError(name)
        if entry.has_part("presets") and name in entry.part("presets").PRESETS:
            external: Config = entry.part("presets").PRESETS[name]
            return external
        game = entry.load()
        openings = game.openings()
        language = language_of_alphabet(game, alphabet) if alphabet else DEFAULT_LANGUAGE
        own: Config = language_entry(language).part("presets").OWN
        rules = {"opening": openings} if openings else {}
        return replace(own, game=entry.name, alphabet=alphabet or own.alphabet, rules=rules)

    def __contains__(self, name: object) -> bool:
        return name in shipped_presets() or (isinstance(name, str) and self._found(name)[0] is not None)

    def __iter__(self) -> Iterator[str]:
        return iter([*shipped_presets(), *self._outside])

    def __len__(self) -> int:
        return len(shipped_presets()) + len(self._outside)


def all_presets() -> Mapping[str, Config]:
    """The ready configurations, and for each game from outside, by its name, the one for games of one's own.

    By its name and one of its alphabets it is the one for that alphabet, such as ``chomp-trees``.
    Where chance does not move, that one mixes openings of no, one and two random actions.
    """
    return _Ready()
