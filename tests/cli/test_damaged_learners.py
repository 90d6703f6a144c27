"""Damaged and forged folders of learners: whatever is in them, they go on or are refused with a sentence."""

import io
import json
import shutil
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from damage import Case, changed_bytes, changed_json, changed_text, refusals

from gpkit.app.learn_folder import stored_config
from gpkit.cli.main import main
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.learners.dots_and_boxes.checkpoint import decode, encode
from gpkit.learners.dots_and_boxes.config import Config
from gpkit.learners.dots_and_boxes.curves import learn
from gpkit.learners.dots_and_boxes.learner import Learner

GAMES = 40


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner that has some games left to play."""
    folder = tmp_path_factory.mktemp("learned") / "run"
    config = folder.parent / "few.toml"
    config.write_text(f"preset = 'ours'\ngames = {GAMES}\npopulation.size = 30\n")
    assert main(["learn", "dots_and_boxes", str(config), "-o", str(folder)]) == 0
    learner = Learner(stored_config(folder))
    left = iter([False] * 2)
    course = learn(learner, (10, GAMES), stop=lambda: next(left, True))
    (folder / "state.npz").write_bytes(encode(learner, course))
    return folder


@pytest.fixture
def run(learned: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(learned, tmp_path / "run"))


def packed(document: bytes, arrays: Mapping[str, Any]) -> bytes:
    """A checkpoint of that text and these arrays."""
    file = io.BytesIO()
    np.savez(file, text=np.frombuffer(document, dtype=np.uint8), **arrays)
    return file.getvalue()


def unpacked(content: bytes) -> tuple[Any, dict[str, Any]]:
    """The text and the arrays of a checkpoint."""
    with np.load(io.BytesIO(content)) as archive:
        arrays = dict(archive)
    return json.loads(arrays.pop("text").tobytes()), arrays


def forged_document(content: bytes, chance: Random) -> bytes:
    """A checkpoint with changed values in its text."""
    document, arrays = unpacked(content)
    if chance.random() < 0.2:
        return packed(changed_text(document, chance).encode(), arrays)
    return packed(json.dumps(changed_json(document, chance)).encode(), arrays)


def forged_arrays(content: bytes, chance: Random) -> bytes:
    """A checkpoint with a changed number in an array, or an array of another kind or length."""
    document, arrays = unpacked(content)
    name = chance.choice(sorted(arrays))
    array = arrays[name].copy()
    match chance.randrange(6):
        case 0:
            array = array[:-1]
        case 1:
            array = np.concatenate([array, array[:1]])
        case 2:
            array = array.astype(chance.choice(("f4", "i4", "u1", "f8", "i8", "?", "S3", ">i8")))
        case 3:
            array = array.reshape(1, -1)
        case _ if len(array):
            values = (0, 1, -1, 7, 10**9, -(2**62), float("nan"), float("inf"), 1e308)
            with np.errstate(all="ignore"):
                array[chance.randrange(len(array))] = np.array(chance.choice(values)).astype(array.dtype)
    return packed(json.dumps(document).encode(), {**arrays, name: array})


def forged_members(content: bytes, chance: Random) -> bytes:
    """A checkpoint with a bit flipped inside a member of the archive, whose checksum is right."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(members))
    head = members[name][:128]
    members[name] = changed_bytes(head, chance) + members[name][128:]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for one, data in members.items():
            archive.writestr(one, data)
    return file.getvalue()


def damaged_table_of_contents(content: bytes, chance: Random) -> bytes:
    """A checkpoint with a bit flipped where the archive says what is in it and how it is packed."""
    start = content.rindex(b"PK\x01\x02", 0, content.index(b"PK\x01\x02") + 4)
    return content[:start] + changed_bytes(content[start:], chance)


def go_on(folder: Path, chance: Random) -> None:
    """Restore the learner, and let it sometimes play to its end, as a resumed one does."""
    config = stored_config(folder)

    def check(stored: Config) -> None:
        if stored != config:
            raise UsageError("another configuration")

    learner, course = decode((folder / "state.npz").read_bytes(), check)
    if chance.random() < 0.2:
        course = learn(learner, (GAMES,), course=course)
        json.dumps([point.to_json() for point in course.points], allow_nan=False)


def read_config(folder: Path, chance: Random) -> None:
    """Read the configuration."""
    stored_config(folder)


CASES: Mapping[str, Case] = {
    "configuration": ("config.toml", changed_bytes, read_config),
    "checkpoint, bytes": ("state.npz", changed_bytes, go_on),
    "checkpoint, contents": ("state.npz", damaged_table_of_contents, go_on),
    "checkpoint, members": ("state.npz", forged_members, go_on),
    "checkpoint, text": ("state.npz", forged_document, go_on),
    "checkpoint, arrays": ("state.npz", forged_arrays, go_on),
}


@pytest.mark.parametrize("case", CASES)
def test_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refusals(run, CASES[case], f"quick {case}", 12) > 0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_much_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refusals(run, CASES[case], f"slow {case}", 1500) > 500


def with_header(content: bytes, name: str, header: bytes) -> bytes:
    """A checkpoint in which an array has another header, of the same length."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    members[name] = members[name][:10] + header.ljust(117) + b"\n" + members[name][128:]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in members.items():
            archive.writestr(one, data)
    return file.getvalue()


def test_no_header_makes_room_for_what_is_not_there(run: Path) -> None:
    content = (run / "state.npz").read_bytes()
    claims = b"{'descr': '<f8', 'fortran_order': False, 'shape': (125000000000,), }"
    tracemalloc.start()
    try:
        with pytest.raises(CheckpointError, match=r"the array own claims 125,000,000,000 numbers"):
            decode(with_header(content, "own.npy", claims))
        assert tracemalloc.get_traced_memory()[1] < 1e9
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", [b"|t1", b"<z8", b"|O8", b">f8"])
def test_types_of_numbers_that_there_are_not_are_refused(kind: bytes, run: Path) -> None:
    header = b"{'descr': '" + kind + b"', 'fortran_order': False, 'shape': (195551,), }"
    with pytest.raises(CheckpointError, match=r"the array own is of|own is not a vector"):
        decode(with_header((run / "state.npz").read_bytes(), "own.npy", header))


def test_what_is_packed_very_densely_is_not_unpacked(run: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("text.npy", "w") as member:
        for _ in range(100):
            member.write(bytes(1_000_000))
    assert len(file.getvalue()) < 200_000
    with pytest.raises(CheckpointError, match=r"text has more than"):
        decode(file.getvalue())


@pytest.mark.parametrize(("offset", "value"), [(8, 1), (10, 12), (10, 14), (10, 99)])
def test_passwords_and_other_methods_are_refused(offset: int, value: int, run: Path) -> None:
    content = bytearray((run / "state.npz").read_bytes())
    content[content.index(b"PK\x01\x02") + offset] = value
    with pytest.raises(CheckpointError, match="packed in a way that is not read"):
        decode(bytes(content))
