"""The adaptive player's memory on disk: a folder for each opponent, so later series can continue from it.

The files are ``run.json`` and ``state.json``, as in ``gpkit.core.work_folder``. The state file is replaced atomically
after each game, so an interrupted series continues with the unfinished game.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from gpkit.api.progress import argument, remark
from gpkit.core.arrays import Floats
from gpkit.core.codec import Range, as_text, codec
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.layout import Exact, Note, Tabular
from gpkit.core.plain_files import is_folder, remove_plain
from gpkit.core.rng import stream
from gpkit.core.wording import counted
from gpkit.core.work_folder import (
    CURRENT,
    HOLDER,
    LOCK,
    PREVIOUS,
    RUN,
    Description,
    is_run,
    locked,
    opened_work,
    read_description,
    restored,
    versions,
    write_checkpoint,
)
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import first_memory, play_sides
from gpkit.games.battleship.board import heat_text
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import EXPERIENCE, HEADER, Experience, decode
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    PREDICTORS,
    mixed_rates,
    predictions,
    random_density,
    shares,
    square_weights,
)
from gpkit.games.battleship.rules import BattleshipRules, returns_of, unseen
from gpkit.languages.sinking.text import print_program
from gpkit.playing.contest import Series
from gpkit.show.heat import heat_svg

KIND = "gpkit.acquaintance/2"

LEARNER = "adaptive"


class Record(NamedTuple):
    """The results of one game.

    Attributes:
        score: the score of the adaptive player.
        stalled: 1 if the game ended at the limit on turns, otherwise 0.
        invalid: the number of seats whose program ran out of steps.
    """

    score: float
    stalled: Annotated[int, Range(0, 1)]
    invalid: Annotated[int, Range(0, 2)]


RECORDS = codec(tuple[Record, ...])


@dataclass(frozen=True, slots=True)
class Known(Tabular):
    """The memory about one opponent.

    Attributes:
        opponent: the name of the opponent.
        rules: the rules of the games.
        experience: the experience with the opponent.
        records: the results of all games, oldest first.
        is_shown: whether the command line prints the knowledge.
    """

    opponent: str
    rules: BattleshipRules
    experience: Experience
    records: tuple[Record, ...]
    is_shown: bool = True

    def __str__(self) -> str:
        """The knowledge about the opponent, as text."""
        believed = dict(zip(PREDICTORS, shares(self.experience.logs).tolist(), strict=True))
        message = ", ".join(f"{name} {share:.2f}" for name, share in believed.items())
        scores = [record.score for record in self.records]
        lines = [
            f"{self.opponent}: {counted(self.experience.games, 'game')}, mean score {np.mean(scores):.3f}",
            f"its fleets are predicted by {message}",
            "",
        ]
        for title, heat in _maps(self).items():
            lines += [f"{title}, in percent:", heat_text(unseen(self.rules), heat)]
        return "\n".join([*lines, "its sinking program:", _program_text(self).removesuffix("\n")])

    def told(self) -> Iterator[str]:
        """The knowledge about the opponent, as text; empty after an export."""
        if self.is_shown:
            yield Exact(f"{self}\n")

    def to_json(self) -> dict[str, Any]:
        """The knowledge about the opponent, with densities, as JSON values."""
        experience, rules = self.experience, self.rules
        weights = square_weights(experience.received, rules, caution=DEFAULTS.caution)
        return {
            "opponent": self.opponent,
            "rules": rules.to_options(),
            "games": experience.games,
            "scores": [record.score for record in self.records],
            "believed": dict(zip(PREDICTORS, shares(experience.logs).tolist(), strict=True)),
            "densities": {
                "opponent": _rounded(_belief(experience, rules)),
                "received": _rounded(experience.received.heat(rules)),
                "random": _rounded(random_density(rules)),
                "own": _rounded(weights * rules.squares),
            },
            "program": print_program(experience.programs[0]).splitlines(),
        }

    def _repr_html_(self) -> str:
        """Heat maps of both boards as an SVG document."""
        title = f"adaptive after {counted(self.experience.games, 'game')} against {self.opponent}"
        return heat_svg(title, _maps(self), self.rules.width)


def folder_of(root: Path, opponent: str) -> Path:
    """The folder for an opponent, which is named after the opponent.

    >>> folder_of(Path("memories"), "hunt:wall").name
    'hunt-wall'
    """
    name = opponent if re.fullmatch(r"[\w+:-]+", opponent, re.ASCII) else Path(opponent).stem
    return root / re.sub(r"[^A-Za-z0-9_+-]", "-", name)


def check_series(players: Sequence[Player], repeat: int | None) -> None:
    """Check that the memory of a series can be stored.

    Raises:
        UsageError: the first player does not learn, both players learn, or there are several series.
    """
    first, second = players
    if not (first.remembers and first.strategy == LEARNER):
        raise UsageError(
            f"--memory keeps what the player {LEARNER} learns: name it as FIRST, instead of {first.name}"
        )
    if second.remembers:
        raise UsageError(f"--memory keeps the memory of the first player only, but {second.name} also learns")
    if repeat not in (None, 1):
        raise UsageError(f"--memory is for one series: leave out --repeat {repeat}")


def remembered_series(
    root: Path,
    players: Sequence[Player],
    rules: BattleshipRules,
    *,
    seed: int,
    games: int,
    watch: Callable[[int], object],
    repeat: int | None = None,
) -> Series:
    """Play a series and store it after each game; games already stored in the folder are not played again.

    Args:
        root: the folder that contains the opponents' folders.
        players: the adaptive player and its opponent.
        rules: the rules of the game.
        seed: the seed of the deals.
        games: the total number of games in the series, including those played before.
        watch: a function that is called after each game with the number of games played so far.
        repeat: the requested number of series, where None means one.

    Raises:
        CheckpointError: the folder is in use, is damaged, or does not contain a series.
        UsageError: the folder belongs to a different series, or no legal fleet was found.
    """
    check_series(players, repeat)
    folder = folder_of(root, players[1].name)
    config = {"player": players[0].name, "opponent": players[1].name, "rules": rules.to_options()}
    description = Description(KIND, {"game": GAME.name, **config}, seed, versions(GAME.name))
    resume = is_run(folder)
    if resume and (stored_seed := read_description(folder, KIND).seed) != seed:
        raise UsageError(
            f"the series in {folder} was started with --seed {stored_seed}; continue with that seed"
        )
    with opened_work(folder, description, resume=resume):
        memory, played = _state(folder, rules) or (first_memory(players[0], rules), ())
        records = list(played)
        while len(records) < games:
            record, memory = _played(players, rules, seed, len(records), memory)
            records.append(record)
            write_checkpoint(
                folder, {"records": RECORDS.write(tuple(records)), "experience": EXPERIENCE.write(memory)}
            )
            watch(len(records))
    return Series(
        first=players[0].name,
        second=players[1].name,
        game=GAME.name,
        metric=GAME.metric(rules),
        unit="series",
        scores=np.array([record.score for record in records], dtype=np.float64).reshape(1, -1, 1),
        stalled=sum(record.stalled for record in records),
        invalid=sum(record.invalid for record in records),
    )


def _played(
    players: Sequence[Player], rules: BattleshipRules, seed: int, number: int, memory: Experience
) -> tuple[Record, Experience]:
    """The results of one game in a series, and the experience after it; in duels, the players alternate seats."""
    deals = GAME.deal(stream(seed, "series", number, 0), 1, rules)
    keys = deals.seat(0, 0), deals.seat(0, 1)
    rotation = number % GAME.seatings(rules)
    boards, after = play_sides(players, keys, [memory, None], rotation, rules)
    statuses = [board.status for board in boards]
    return Record(
        returns_of(boards, rules)[rotation], int(set(statuses) == {"stalled"}), statuses.count("invalid")
    ), after[0]


def read_opponent_model(root: Path, opponent: str) -> Known:
    """The memory of an opponent; reading it changes no files.

    Raises:
        CheckpointError: there is no memory, or it is damaged or of a different kind.
    """
    folder = folder_of(root, opponent)
    if not is_run(folder):
        folders = sorted(root.iterdir()) if root.is_dir() else []
        known = ", ".join(path.name for path in folders if _is_memory(path)) or "nobody"
        raise CheckpointError(f"{folder} holds no memory of {opponent}; {root} has memories of {known}")
    description = read_description(folder, KIND)
    try:
        rules = BattleshipRules.from_options(codec(Mapping[str, str]).read(description.config.get("rules")))
        name = as_text(description.config.get("opponent"))
    except (ValueError, UsageError) as error:
        raise CheckpointError(f"{folder / RUN} is damaged: {error}") from error
    stored = _state(folder, rules)
    if stored is None:
        raise CheckpointError(f"{folder} holds no game yet")
    return Known(name, rules, *stored)


def _is_memory(path: Path) -> bool:
    """True if a path is a folder that contains a memory."""
    with suppress(CheckpointError):
        return is_folder(path) and is_run(path)
    return False


def reset_memory(root: Path, opponent: str) -> Path:
    """Remove the files of an opponent's memory, and then the folder if it is empty; returns the folder.

    Raises:
        CheckpointError: there is no memory, it is in use, or one of its files is not a regular file.
    """
    folder = folder_of(root, opponent)
    if not is_run(folder):
        raise CheckpointError(f"{folder} holds no memory of {opponent}")
    read_description(folder, KIND)
    with locked(folder):
        for name in (CURRENT, PREVIOUS, RUN):
            remove_plain(folder / name)
    for name in (HOLDER, LOCK):
        remove_plain(folder / name)
    with suppress(OSError):
        folder.rmdir()
    return folder


def _state(folder: Path, rules: BattleshipRules) -> tuple[Experience, tuple[Record, ...]] | None:
    """The experience and the results in a folder's checkpoint, or None before the first game.

    Raises:
        CheckpointError: the checkpoint is damaged.
    """
    return restored(
        folder, lambda data: (decode(data.get("experience"), rules), RECORDS.read(data.get("records")))
    )


SCHEMA = "gpkit/agent/1"

DIGITS = 4
"""The number of decimal places for probabilities in files."""

BELIEVED, SHOT_AT = "where its ships are expected", "shots at its own fleet, earlier ones hotter"


@dataclass(frozen=True, slots=True)
class Forgotten(Tabular):
    """The result of removing the memory about an opponent.

    Attributes:
        opponent: the name of the opponent.
        folder: the folder that was removed.
    """

    opponent: str
    folder: Path

    def __str__(self) -> str:
        """A sentence that names the opponent and the folder."""
        return f"forgot {self.opponent}: removed the memory in {self.folder}"

    def told(self) -> Iterator[str]:
        """The sentence that names the opponent and the folder, as a note."""
        yield Note(self)

    def to_json(self) -> dict[str, Any]:
        """The opponent and the folder as JSON values."""
        return {"opponent": self.opponent, "removed": str(self.folder)}


def forgotten(opponent: str, root: Path, output: str | None) -> Forgotten:
    """Remove the memory of an opponent.

    Raises:
        UsageError: there is no memory of the opponent, or an output is given.
    """
    if output is not None:
        raise UsageError(f"reset writes nothing: leave out {argument('output')}")
    return Forgotten(opponent, reset_memory(root, opponent))


def shown(opponent: str, root: Path, output: str | None) -> Known:
    """The knowledge about an opponent; if an output file is given, both maps are written to it.

    Raises:
        UsageError: there is no memory of the opponent, the memory is damaged, or the file cannot be written.
    """
    known = read_opponent_model(root, opponent)
    if output is not None:
        _write(output, known._repr_html_())
    return known


def exported(opponent: str, root: Path, output: str | None) -> Known:
    """Write the knowledge about an opponent to two files in a folder, and return the knowledge.

    Raises:
        UsageError: there is no memory of the opponent, the memory is damaged, or a file cannot be written.
    """
    known = read_opponent_model(root, opponent)
    folder, name = Path(output or "."), folder_of(root, opponent).name
    _write(folder / f"{name}.sink", _program_text(known))
    _write(folder / f"{name}.json", json.dumps({"schema": SCHEMA, **known.to_json()}, indent=1) + "\n")
    return replace(known, is_shown=False)


ACTIONS: Mapping[str, Callable[[str, Path, str | None], Known | Forgotten]] = {
    "show": shown,
    "reset": forgotten,
    "export": exported,
}


def _write(path: str | Path, text: str) -> None:
    check_place(path)
    write_atomic(path, text)
    remark(f"wrote {path}")


def _belief(experience: Experience, rules: BattleshipRules) -> Floats:
    """The expected number of ships on each square in the next game: float64 (squares,)."""
    return mixed_rates(predictions(experience.seen, experience.waves[0], rules, DEFAULTS), experience.logs)


def _maps(known: Known) -> dict[str, list[float]]:
    """The values of the squares of both boards, by title; the player's own board is included only after duels."""
    received, found = known.experience.received, {BELIEVED: _belief(known.experience, known.rules).tolist()}
    return {**found, SHOT_AT: received.heat(known.rules).tolist()} if received.games else found


def _program_text(known: Known) -> str:
    """The sinking program for the next game, as the text of a ``.sink`` file.

    The header of the file selects the player ``density`` to answer ``Target``, because that player needs no knowledge
    of an opponent.
    """
    title = f"evolved by adaptive in {counted(known.experience.games, 'game')} against {known.opponent}"
    return print_program(known.experience.programs[0], {**HEADER, "target": "density", "title": title})


def _rounded(values: Floats) -> list[float]:
    return [round(value, DIGITS) for value in values.tolist()]
