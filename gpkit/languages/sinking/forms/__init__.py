"""The forms of the language; each module is imported when it is first used."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.languages.sinking.forms import draw as draw
    from gpkit.languages.sinking.forms import evolution as evolution
    from gpkit.languages.sinking.forms import exports as exports
    from gpkit.languages.sinking.forms import playing as playing
else:
    __getattr__ = modules_of(__name__)
