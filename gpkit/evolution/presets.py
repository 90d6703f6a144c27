"""Ready configurations, by name: those of the games, each beside its game, and one for each game from outside."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from gpkit.core.registry import DEFAULT_LANGUAGE, GAMES, all_games, language_entry
from gpkit.evolution.config import Config


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

    def __getitem__(self, name: str) -> Config:
        """The configuration of that name."""
        if name in shipped_presets():
            return shipped_presets()[name]
        entry = self._outside[name]
        if entry.has_part("presets") and name in entry.part("presets").PRESETS:
            external: Config = entry.part("presets").PRESETS[name]
            return external
        game = entry.load()
        openings = game.openings()
        own: Config = language_entry(DEFAULT_LANGUAGE).part("presets").OWN
        return replace(own, game=name, rules={"opening": openings} if openings else {})

    def __contains__(self, name: object) -> bool:
        return name in shipped_presets() or name in self._outside

    def __iter__(self) -> Iterator[str]:
        return iter([*shipped_presets(), *self._outside])

    def __len__(self) -> int:
        return len(shipped_presets()) + len(self._outside)


def all_presets() -> Mapping[str, Config]:
    """The ready configurations, and for each game from outside, by its name, the one for games of one's own.

    Where chance does not move, that one mixes openings of no, one and two random actions.
    """
    return _Ready()
