"""Damaged and forged folders of learners: whatever is in them, they go on or are refused with a sentence."""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from damage import Case, changed_bytes, changed_json, damaged_json, refusals

from gpkit.cli.main import main
from gpkit.core.work_folder import CHECKPOINT, digest, restored
from gpkit.games.dots_and_boxes.learner.folder import decode, encode, learn, pack, stored_config, unpack
from gpkit.games.dots_and_boxes.learner.learner import Learner

GAMES = 40


@pytest.fixture(scope="module")
def ended(small_boards: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner that has some games left to play."""
    folder = tmp_path_factory.mktemp("learned") / "run"
    config = folder.parent / "few.toml"
    config.write_text(f"preset = 'ours'\ngames = {GAMES}\npopulation.size = 30\n")
    assert main(["learn", "dots_and_boxes", str(config), "-o", str(folder)]) == 0
    learner = Learner(stored_config(folder))
    left = iter([False] * 2)
    course = learn(learner, (10, GAMES), stop=lambda: next(left, True))
    (folder / "state.previous.json").unlink()
    (folder / "state.json").write_bytes(stored(encode(learner, course)))
    return folder


def stored(state: Any) -> bytes:
    """A checkpoint of that state with the right digest."""
    return json.dumps({"schema": CHECKPOINT, "sha256": digest(state), "state": state}).encode()


def forged_state(content: bytes, chance: Random) -> bytes:
    """A checkpoint with changed values and the right digest."""
    changed = changed_json(json.loads(content)["state"], chance)
    try:
        return stored(changed)
    except (ValueError, AttributeError):  # no JSON value
        return damaged_json(content, chance)


def forged_arrays(content: bytes, chance: Random) -> bytes:
    """A checkpoint with a changed number in an array, or an array of another kind or length, or damage to its bytes."""
    state = json.loads(content)["state"]
    name = chance.choice(sorted(state["arrays"]))
    packed = state["arrays"][name]
    array = unpack(packed, packed["type"], 10**6).copy()
    match chance.randrange(6):
        case 0:
            array = array[:-1]
        case 1:
            array = np.concatenate([array, array[:1]])
        case 2:
            array = array.astype(chance.choice(("f4", "i4", "u1", "f8", "i8", "?", "S3", ">i8")))
        case 3:
            deflated = changed_bytes(base64.b64decode(packed["numbers"]), chance)
            state["arrays"][name]["numbers"] = base64.b64encode(deflated).decode()
            return stored(state)
        case _ if len(array):
            values = (0, 1, -1, 7, 10**9, -(2**62), float("nan"), float("inf"), 1e308)
            with np.errstate(all="ignore"):
                array[chance.randrange(len(array))] = np.array(chance.choice(values)).astype(array.dtype)
    state["arrays"][name] = pack(array)
    return stored(state)


def go_on(folder: Path, chance: Random) -> None:
    """Restore the learner, and let it sometimes play to its end, as a resumed one does."""
    found = restored(folder, partial(decode, config=stored_config(folder)))
    assert found is not None
    learner, course = found
    if chance.random() < 0.2:
        course = learn(learner, (GAMES,), course=course)
        json.dumps([asdict(point) for point in course.points], allow_nan=False)


def read_config(folder: Path, chance: Random) -> None:
    """Read the configuration."""
    stored_config(folder)


CASES: Mapping[str, Case] = {
    "description": ("run.json", damaged_json, read_config),
    "description, bytes": ("run.json", changed_bytes, read_config),
    "checkpoint, bytes": ("state.json", changed_bytes, go_on),
    "checkpoint, values": ("state.json", damaged_json, go_on),
    "checkpoint, state": ("state.json", forged_state, go_on),
    "checkpoint, arrays": ("state.json", forged_arrays, go_on),
}


@pytest.mark.parametrize("case", CASES)
def test_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refusals(run, CASES[case], f"quick {case}", 12) > 0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_much_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refusals(run, CASES[case], f"slow {case}", 1500) > 500
