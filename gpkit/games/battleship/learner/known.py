"""Knowledge of the adaptive player about an opponent, as text, as a picture and as files: ``gpkit agent``."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.api.progress import argument, remark
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.tabular import Exact, Note, Tabular
from gpkit.core.wording import counted
from gpkit.draw.heat import heat_of, heat_svg
from gpkit.games.battleship.board import heat_text
from gpkit.games.battleship.forms.memory import OpponentModel, folder_of, read_opponent_model, reset_memory
from gpkit.games.battleship.learner.experience import Experience
from gpkit.games.battleship.learner.sinkers import HEADER
from gpkit.games.battleship.learner.targeting import DEFAULTS, PREDICTORS, mixed_rates, predictions, shares
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import random_density, square_weights
from gpkit.games.battleship.rules import unseen
from gpkit.languages.sinking.printer import print_program

SCHEMA = "gpkit/agent/1"

DIGITS = 4
"""Decimals of chances in files."""

BELIEVED, SHOT_AT = "where its ships are expected", "shots at its own fleet, earlier ones hotter"


@dataclass(frozen=True, slots=True)
class Known(Tabular):
    """Knowledge about an opponent.

    Attributes:
        model: the memory of the opponent.
        is_shown: whether the shell prints the knowledge.
    """

    model: OpponentModel
    is_shown: bool = True

    def __str__(self) -> str:
        """All the knowledge as text."""
        return _view_text(self.model).removesuffix("\n")

    def told(self) -> Iterator[str]:
        """All the knowledge as text, unless it is only exported."""
        if self.is_shown:
            yield Exact(_view_text(self.model))

    def to_json(self) -> dict[str, Any]:
        """All the knowledge, and the densities that follow from it, as JSON values."""
        return _view_values(self.model)

    def _repr_html_(self) -> str:
        """Heat maps of both boards."""
        return _view_svg(self.model)


@dataclass(frozen=True, slots=True)
class Forgotten(Tabular):
    """An opponent whose memory was removed.

    Attributes:
        opponent: its name.
        folder: the folder that was removed.
    """

    opponent: str
    folder: Path

    def __str__(self) -> str:
        """The opponent and the folder in a sentence."""
        return f"forgot {self.opponent}: removed the memory in {self.folder}"

    def told(self) -> Iterator[str]:
        """The sentence, as a note."""
        yield Note(self)

    def to_json(self) -> dict[str, Any]:
        """The opponent and the folder as JSON values."""
        return {"opponent": self.opponent, "removed": str(self.folder)}


def forgotten(opponent: str, root: Path, output: str | None) -> Forgotten:
    """Remove the memory of an opponent.

    Raises:
        UsageError: there is no memory of the opponent, or an output is named.
    """
    if output is not None:
        raise UsageError(f"reset writes nothing: leave out {argument('output')}")
    return Forgotten(opponent, reset_memory(root, opponent))


def shown(opponent: str, root: Path, output: str | None) -> Known:
    """The knowledge about an opponent; both maps are written to a file if one is named.

    Raises:
        UsageError: there is no memory of the opponent, the memory is damaged, or the file cannot be written.
    """
    known = read_opponent_model(root, opponent)
    if output is not None:
        _write(output, _view_svg(known))
    return Known(known)


def exported(opponent: str, root: Path, output: str | None) -> Known:
    """The knowledge about an opponent, which is written to two files in a folder.

    Raises:
        UsageError: there is no memory of the opponent, the memory is damaged, or a file cannot be written.
    """
    known = read_opponent_model(root, opponent)
    folder, name = Path(output or "."), folder_of(root, opponent).name
    _write(folder / f"{name}.sink", _program_text(known))
    document = {"schema": SCHEMA, **_view_values(known)}
    _write(folder / f"{name}.json", json.dumps(document, indent=1) + "\n")
    return Known(known, is_shown=False)


ACTIONS: Mapping[str, Callable[[str, Path, str | None], Known | Forgotten]] = {
    "show": shown,
    "reset": forgotten,
    "export": exported,
}


def _write(path: str | Path, text: str) -> None:
    check_place(path)
    write_atomic(path, text)
    remark(f"wrote {path}")


def _belief(experience: Experience, rules: Rules) -> NDArray[np.float64]:
    """The expected ships on each square in the next game: float64 (squares,)."""
    foretold = predictions(experience.seen, experience.waves[0], rules, DEFAULTS)
    return mixed_rates(foretold, experience.logs)


def _maps(known: OpponentModel) -> dict[str, list[float]]:
    """By title the values of the squares of both boards; of the own fleet once it was shot at."""
    received, found = known.experience.received, {BELIEVED: _belief(known.experience, known.rules).tolist()}
    return {**found, SHOT_AT: received.heat(known.rules).tolist()} if received.games else found


def _view_text(known: OpponentModel) -> str:
    """All that is known of an opponent, for people; it ends with a line break."""
    experience, rules = known.experience, known.rules
    believed = dict(zip(PREDICTORS, shares(experience.logs).tolist(), strict=True))
    message = ", ".join(f"{name} {share:.2f}" for name, share in believed.items())
    scores = [record.score for record in known.records]
    lines = [
        f"{known.opponent}: {counted(experience.games, 'game')}, mean score {np.mean(scores):.3f}",
        f"its fleets are predicted by {message}",
        "",
    ]
    for title, heat in _maps(known).items():
        lines += [f"{title}, in percent:", heat_text(unseen(rules), heat)]
    return "\n".join([*lines, "its sinking program:", _program_text(known)])


def _view_svg(known: OpponentModel) -> str:
    """Heat maps of both boards as an SVG document."""
    title = f"adaptive after {counted(known.experience.games, 'game')} against {known.opponent}"
    return heat_svg(title, [heat_of(name, heat, known.rules.width) for name, heat in _maps(known).items()])


def _view_values(known: OpponentModel) -> dict[str, Any]:
    """All that is known of an opponent, and the densities that follow from it, as JSON values."""
    experience, rules = known.experience, known.rules
    weights = square_weights(experience.received, rules, caution=DEFAULTS.caution)
    return {
        "opponent": known.opponent,
        "rules": rules.to_options(),
        "games": experience.games,
        "scores": [record.score for record in known.records],
        "believed": dict(zip(PREDICTORS, shares(experience.logs).tolist(), strict=True)),
        "densities": {
            "opponent": _rounded(_belief(experience, rules)),
            "received": _rounded(experience.received.heat(rules)),
            "random": _rounded(random_density(rules)),
            "own": _rounded(weights * rules.squares),
        },
        "program": print_program(experience.programs[0]).splitlines(),
    }


def _program_text(known: OpponentModel) -> str:
    """The sinking program that plays next, as the text of a ``.sink`` file.

    In the dialect of its header the player ``density`` answers ``Target``, which knows no opponent.
    """
    title = f"evolved by adaptive in {counted(known.experience.games, 'game')} against {known.opponent}"
    return print_program(known.experience.programs[0], {**HEADER, "target": "density", "title": title})


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(value, DIGITS) for value in values.tolist()]
