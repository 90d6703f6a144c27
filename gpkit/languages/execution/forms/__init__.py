"""The forms of the language; each module is imported when it is first used."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.languages.execution.forms import draw as draw
    from gpkit.languages.execution.forms import evolution as evolution
    from gpkit.languages.execution.forms import exports as exports
    from gpkit.languages.execution.forms import lua as lua
    from gpkit.languages.execution.forms import playing as playing
    from gpkit.languages.execution.forms import python as python
else:
    __getattr__ = modules_of(__name__)
