"""Capabilities of languages: by command, whether it takes programs of a language."""

from collections.abc import Mapping

from gpkit.core.registry import all_games, has_form
from gpkit.draw.programs import ChangeDrawing, Drawing, GameDrawing
from gpkit.evolution.config import Evolving
from gpkit.export.check import checkable
from gpkit.export.json import LAYER, Membership
from gpkit.export.registry import EXPORTERS
from gpkit.playing.default_trace import has_trace


def capabilities(language: str) -> Mapping[str, bool]:
    """By command whether it takes programs of a language, found by looking at games and forms."""
    games = [entry.name for entry in all_games() if language in entry.load().offers]
    return {
        "check": True,
        "fmt": True,
        "run": bool(games),
        "trace": any(map(has_trace, games)),
        "evolve": has_form(Evolving, "evolution", language),
        "draw": has_form(Drawing, "draw", language),
        "draw --diff": has_form(ChangeDrawing, "draw", language),
        "draw --trace": has_form(GameDrawing, "draw", language),
        **{f"export --to {each.name}": bool(each.modes_of(language)) for each in EXPORTERS},
        "export --to tree": has_form(Membership, LAYER, language),
        **{f"export --to {each.name} --check": each.name in checkable(language) for each in EXPORTERS},
    }
