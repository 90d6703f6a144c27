"""Memory of the adaptive player in folders, one for each opponent: series that go on with it, and what it holds.

``run.json`` and ``state.json`` as of ``gpkit.core.work_folder`` and ``gpkit.core.work_folder``: after each game the
whole state is replaced at once, so that an interrupted series goes on at the game that it was in.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from gpkit.core.codec import Range, as_text, codec
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.plain_files import is_folder, remove_plain
from gpkit.core.rng import stream
from gpkit.core.version import versions
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
    write_checkpoint,
)
from gpkit.gamekit.players import Player
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.experience import EXPERIENCE, Experience, decode
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import returns_of
from gpkit.games.battleship.sides import first_memory, play_sides
from gpkit.playing.series import Series

KIND = "gpkit.acquaintance/2"

LEARNER = "adaptive"


class Record(NamedTuple):
    """Results of a game.

    Attributes:
        score: of the adaptive player.
        stalled, invalid: whether the game ended by the cap on its length; seats whose program ran out of steps.
    """

    score: float
    stalled: Annotated[int, Range(0, 1)]
    invalid: Annotated[int, Range(0, 2)]


RECORDS = codec(tuple[Record, ...])


@dataclass(frozen=True, slots=True)
class OpponentModel:
    """Memory of one opponent.

    Attributes:
        opponent: its name.
        rules: under which they play.
        experience: what was learned.
        records: of all games, in order.
    """

    opponent: str
    rules: Rules
    experience: Experience
    records: tuple[Record, ...]


def folder_of(root: Path, opponent: str) -> Path:
    """The folder of an opponent, by its name at the table.

    >>> folder_of(Path("memories"), "hunt:wall").name
    'hunt-wall'
    """
    name = opponent if re.fullmatch(r"[\w+:-]+", opponent, re.ASCII) else Path(opponent).stem
    return root / re.sub(r"[^A-Za-z0-9_+-]", "-", name)


def check_series(players: Sequence[Player], repeat: int | None) -> None:
    """Check that a series of these players can be kept.

    Raises:
        UsageError: the player does not learn, both learn, or there are several series.
    """
    first, second = players
    if not (first.remembers and first.strategy == LEARNER):
        raise UsageError(
            f"--memory keeps what the player {LEARNER} learns: name it as FIRST, instead of {first.name}"
        )
    if second.remembers:
        raise UsageError(f"--memory keeps the memory of the first player only, but {second.name} learns, too")
    if repeat not in (None, 1):
        raise UsageError(f"--memory is for one series: leave out --repeat {repeat}")


def remembered_series(
    root: Path,
    players: Sequence[Player],
    rules: Rules,
    *,
    seed: int,
    games: int,
    watch: Callable[[int], object],
) -> Series:
    """A series whose games are stored one by one; what is in the folder already is not played again.

    Args:
        root: the folder of folders of opponents.
        players: the adaptive player and its opponent.
        rules: of the game.
        seed: decides the deals.
        games: of the series, those that were played before included.
        watch: is told the number of games played, after each.

    Raises:
        CheckpointError: the folder is in use, holds something else, or is damaged.
        UsageError: it is that of another series; no legal fleet was found.
    """
    folder = folder_of(root, players[1].name)
    config = {"player": players[0].name, "opponent": players[1].name, "rules": rules.to_options()}
    description = Description(KIND, {"game": GAME.name, **config}, seed, versions(GAME.name))
    resume = is_run(folder)
    if resume and (stored_seed := read_description(folder, KIND).seed) != seed:
        raise UsageError(f"the series in {folder} was started with --seed {stored_seed}; continue with that")
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
    players: Sequence[Player], rules: Rules, seed: int, number: int, memory: Experience
) -> tuple[Record, Experience]:
    """The record of one game of a series, and the experience after it; the players move on by one seat a game."""
    deals = GAME.deal(stream(seed, "series", number, 0), 1, rules)
    keys = deals.seat(0, 0), deals.seat(0, 1)
    rotation = number % GAME.seatings(rules)
    ended = play_sides(players, keys, [memory, None], rotation, rules)
    statuses = [board.status for board in ended.boards]
    score = returns_of(ended.boards, rules)[rotation]
    return Record(score, int(set(statuses) == {"stalled"}), statuses.count("invalid")), ended.memory[0]


def read_opponent_model(root: Path, opponent: str) -> OpponentModel:
    """The memory of an opponent, read without touching anything.

    Raises:
        CheckpointError: there is none, it is of another kind, or damaged.
    """
    folder = folder_of(root, opponent)
    if not is_run(folder):
        folders = sorted(root.iterdir()) if root.is_dir() else []
        known = ", ".join(path.name for path in folders if _is_memory(path)) or "nobody"
        raise CheckpointError(f"{folder} holds no memory of {opponent}; {root} has memories of {known}")
    description = read_description(folder, KIND)
    try:
        rules = Rules.from_options(codec(Mapping[str, str]).read(description.config.get("rules")))
        name = as_text(description.config.get("opponent"))
    except (ValueError, UsageError) as error:
        raise CheckpointError(f"{folder / RUN} is damaged: {error}") from error
    stored = _state(folder, rules)
    if stored is None:
        raise CheckpointError(f"{folder} holds no game yet")
    return OpponentModel(name, rules, *stored)


def _is_memory(path: Path) -> bool:
    """Whether a name is that of a folder with a memory in it."""
    with suppress(CheckpointError):
        return is_folder(path) and is_run(path)
    return False


def reset_memory(root: Path, opponent: str) -> Path:
    """Forget an opponent: remove the files of its memory, and the folder if it then is empty; the folder it was.

    Raises:
        CheckpointError: there is no memory, it is in use, or something else lies instead of a file.
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


def _state(folder: Path, rules: Rules) -> tuple[Experience, tuple[Record, ...]] | None:
    """Experience and records of the checkpoint of a folder; None before the first game.

    Raises:
        CheckpointError: it is damaged.
    """
    return restored(
        folder, lambda data: (decode(data.get("experience"), rules), RECORDS.read(data.get("records")))
    )
