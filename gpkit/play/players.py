"""Players in readable form: agents together with the programs that they were compiled from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from gpkit.core.registry import language_of
from gpkit.games.game import Agent, Game
from gpkit.play.agents import agent_of_name, agent_of_source, opponent_file

LONGEST_NAME = 24
"""Characters of a name at the table."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player that can be followed step by step: the compiled ``agent`` and its ``program`` to be read.

    The program of a player that searches is the one that plays its sampled worlds out; a mere placement has none, nor
    has another player that no program says. The ``header`` of its file says in which dialect it is meant. The
    ``source`` is what its language has parsed; None for a program without a file.
    """

    agent: Agent
    program: Any
    header: Mapping[str, str] = field(default_factory=dict)
    source: Any = None

    @property
    def searches(self) -> bool:
        """Whether it chooses by search, so that no formula says why."""
        return self.agent.argument > 0


def player_of_source(source: Any, game: Game, *, language: Any) -> Player:
    """The player of what a language's ``parse`` returned.

    Raises:
        SourceError: the program has an error for this game; the first one.
    """
    return Player(agent_of_source(source, game, language=language), source.program, source.header, source)


def player_of_name(spec: str, game: Game) -> Player:
    """The game's own opponent of a name: ``simple``, or with an argument ``pimc:200``.

    Raises:
        UsageError: there is no such opponent, or its argument is not a positive whole number.
    """
    agent = agent_of_name(spec, game)
    name = spec.partition(":")[0]
    if name in game.builtins:
        name = game.builtins[name].policy
    if not name or name in game.placements:
        return Player(agent, None)
    path = opponent_file(name, game)
    source = language_of(path.name).load().parse(path.read_text(encoding="utf-8"), str(path))
    return Player(agent, source.program, source.header, source)


def names_at_table(players: Sequence[Player]) -> tuple[str, ...]:
    """Short names, each different from the others: files without folder and suffix, equal ones numbered."""
    plain = [_short(player.agent.name) for player in players]
    return tuple(
        f"{name} {plain[: k + 1].count(name)}" if plain.count(name) > 1 else name
        for k, name in enumerate(plain)
    )


def _short(name: str) -> str:
    stem = "program" if name == "-" else PurePath(name).stem
    shown = "".join(c if c.isprintable() else "?" for c in stem)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"
