"""The commands of Battleship."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from gpkit.api.arguments import command
from gpkit.api.kinds import Folder, Kind

if TYPE_CHECKING:
    from gpkit.games.battleship.forms.memory import Forgotten, Known


@command
def agent(
    action: Annotated[Literal["show", "reset", "export"], Kind("show | reset | export")],
    opponent: Annotated[str, Kind(completes="opponent")],
    *,
    memory: Folder = "memories",
    output: Annotated["str | os.PathLike[str]", Kind("PATH", "a path", "file", option="-o --output")]
    | None = None,
) -> "Known | Forgotten":
    """Show, reset or export what the adaptive player knows about an opponent.

    Battleship's player `adaptive` learns in `gpkit series adaptive OPPONENT --memory DIR`. `show` prints the expected
    number of ships on each square, the squares where the opponent shoots, and the evolved sinking program. `reset`
    removes the memory, so the next series starts from scratch. `export` writes the program as OPPONENT.sink, which
    `gpkit export` turns into Lua, and all densities as OPPONENT.json.

    Args:
        action: the action to take on the memory.
        opponent: the name of the opponent.
        memory: the folder of `gpkit series --memory`.
        output: with `show`, a file for both maps as SVG; with `export`, a folder, by default the current one.

    Returns:
        ``model`` with everything known about the opponent, or after a reset, the ``folder`` that was removed.

    Raises:
        UsageError: there is no memory of the opponent, the memory is damaged, or a file cannot be written.
    """
    from gpkit.games.battleship.forms.memory import ACTIONS

    return ACTIONS[action](opponent, Path(memory), None if output is None else os.fspath(output))


COMMANDS = (agent,)
"""The commands, in the order of the help page."""
