"""The forms of the game; each module is imported on first use."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.games.dots_and_boxes.forms import draw as draw
    from gpkit.games.dots_and_boxes.forms import record as record
    from gpkit.games.dots_and_boxes.forms import talk as talk
    from gpkit.games.dots_and_boxes.forms import view as view
    from gpkit.games.dots_and_boxes.forms import work as work
else:
    __getattr__ = modules_of(__name__)
