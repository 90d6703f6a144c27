"""The kernel block of a game of one's own, and whole games by it."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.plans import is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import ObservableState
from gpkit.user_games.kernel import games as at
from gpkit.user_games.rules import Rules
from gpkit.vm.program import Program, link

RANDOM = "random"
"""Name of the player that chooses any legal action."""


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """Functions that mean the same as the readable state, over an int64 array, to be compiled.

    The first two numbers of the array are who is to choose (``CHANCE``, or ``NOBODY`` at the end), and the number of
    the decision among the game's ``decisions``; the others are the game's own. The functions are marked as
    ``@kernel``; they allocate nothing and never raise.

    Attributes:
        pack: the array of a readable state, as whole numbers.
        size: how many those are.
        most: the most legal actions, or outcomes of chance, that there are in any state.
        legal: (game, actions) fills int64 ``actions``, ascending, and returns how many.
        apply: (game, action) changes the game.
        score: (game, scores) fills float64 ``scores``, by player, at the end.
        sense: (game, action, values) fills float64 ``values``, in the order of the sensors.
        chance: (game, actions, weights) fills outcomes and probabilities and returns how many; None without chance.
    """

    pack: Callable[[Any], Sequence[int]]
    size: int
    most: int
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    score: Callable[..., Any]
    sense: Callable[..., Any]
    chance: Callable[..., Any] | None = None

    @property
    def parts(self) -> at.Parts:
        """The functions that are compiled."""
        return at.Parts(self.legal, self.apply, self.score, self.sense, self.chance or at.no_chance)

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files of the game that they stand in."""
        own = [each for each in self.parts if each is not at.no_chance]
        return tuple(dict.fromkeys(Path(inspect.getfile(each)) for each in own))

    def packed(self, state: ObservableState) -> NDArray[np.int64]:
        """The array of a readable state: int64 (size,).

        Raises:
            UsageError: there are more or fewer numbers.
        """
        row = np.array(self.pack(state), dtype=np.int64)
        if row.shape != (self.size,):
            raise UsageError(f"{self.pack.__name__} gives {row.size} numbers; expected size={self.size}")
        return row


def can_play(players: Sequence[Player]) -> bool:
    """Whether all players are compiled: programs, and the player ``random``."""
    return all(
        not any(map(is_plan, machine_programs([player]))) if player.is_program else player.name == RANDOM
        for player in players
    )


def play_compiled(
    kernel: Kernel, game: Any, players: Sequence[Player], keys: NDArray[np.int64], rules: Rules
) -> tuple[NDArray[np.float64], int]:
    """Every deal in every seating: float64 (deals, seats), the scores of the first player; and games called off."""
    seats = len(players)
    sensors = len(game.sensors)
    first = kernel.packed(game.first(players, Deals(keys), rules))
    metric = game.metric(rules)
    scratch = at.Scratch(
        first.copy(),
        np.zeros(kernel.most, dtype=np.int64),
        np.zeros(kernel.most),
        np.zeros(seats),
    )
    scores, stalled = np.zeros((len(keys), seats)), 0
    linked, play = _linked(players, game), at.games_kernel(kernel.parts, kernel.sources)
    openings = np.array(rules.openings_of(keys.tolist()))
    for opening in np.unique(openings).tolist():
        alike = openings == opening
        setting = at.Setting(first, opening, rules.longest, metric.middle, sensors)
        found = scores[alike]
        stalled += int(play(keys[alike], setting, linked, scratch, found))
        scores[alike] = found
    return scores, stalled


def _linked(players: Sequence[Player], game: Any) -> at.Linked:
    """The players as the kernel wants them, each with memory of its own."""
    primitives = next(iter(game.offers.values()))
    sections, sensors = len(primitives.sections), len(primitives.sensors)
    table = np.full((len(players), sections, at.COLUMNS), at.AT_RANDOM, dtype=np.int64)
    programs: list[Program] = []
    rows: list[tuple[int, int]] = []
    for number, player in enumerate(players):
        if player.is_program:
            own = machine_programs([player])
            rows += [(number, section) for section in range(len(own))]
            programs += own
    if not programs:
        return at.Linked(
            table, np.zeros((1, 5), dtype=np.uint32), np.zeros((len(players), sections, sensors))
        )
    code, images, entries = link(programs)
    memory = np.zeros((len(players), sections, max(images.shape[1], sensors)))
    for (number, section), program, image, entry in zip(rows, programs, images, entries, strict=True):
        table[number, section] = entry, program.result, len(program.inputs) - sensors
        memory[number, section, : len(image)] = image
    return at.Linked(table, code, memory)


def recorded(
    kernel: Kernel, first: Any, line: Sequence[int], sensors: int, seats: int, *, compiled: bool = True
) -> at.Record:
    """Record of the parts along a line of actions, those of chance among them; compiled, or run as Python."""
    steps = len(line) + 1
    record = at.Record(
        np.zeros((steps, kernel.size), dtype=np.int64),
        np.zeros(steps, dtype=np.int64),
        np.zeros((steps, kernel.most), dtype=np.int64),
        np.zeros((steps, kernel.most)),
        np.zeros((steps, kernel.most, sensors)),
        np.zeros(seats),
    )
    run = at.record_kernel(kernel.parts, kernel.sources)
    run = run if compiled else getattr(run, "py_func", run)
    run(np.array(line, dtype=np.int64), kernel.packed(first), record)
    return record
