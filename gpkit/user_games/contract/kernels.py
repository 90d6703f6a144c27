"""The contract of kernel blocks: the same game as the readable state."""

from collections.abc import Callable, Iterator
from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.gamekit.game import Game
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.faults import compiler_fault
from gpkit.user_games.lockstep import first_difference

GAMES = 10
"""Games that are played side by side."""

PREFIX = "kernel."
"""Beginning of the names of a kernel block's functions."""


def kernel_functions(game: Game) -> dict[str, Callable[..., Any]]:
    """The functions of a game's kernel block, by name; none without one."""
    if game.kernel is None:
        return {}
    own = {"pack": game.kernel.pack, **game.kernel.parts._asdict()}
    return {f"{PREFIX}{name}": function for name, function in own.items()}


def check_kernel(game: Game, time_is_up: Callable[[], bool]) -> Iterator[tuple[Fault, tuple[int, ...]]]:
    """The first difference of the kernel block from the readable states, with the actions before it.

    It is run as Python before: so it cannot write beyond its arrays, but raises an error that says in which line.
    """
    for key in range(GAMES):
        first_difference(game, game.kernel, key, compiled=False)
        if time_is_up():
            break
    try:
        for key in range(GAMES):
            found = first_difference(game, game.kernel, key)
            if found is not None:
                readable, other = (shortened(repr(each)) for each in (found.readable, found.compiled))
                message = f"gives {other}; the readable game gives {readable}"
                yield Fault(f"{PREFIX}{found.part}", message), found.line
                return
    except Exception as error:
        if not type(error).__module__.startswith("numba"):
            raise
        yield Fault("kernel", compiler_fault(game, str(error))), ()
