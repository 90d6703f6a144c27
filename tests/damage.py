"""Damage to files: bits and stretches of bytes, and values of JSON texts replaced by others."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from gpkit.core.errors import GpkitError

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**53, 2**63 - 1, 2**63, 10**18, 10**400, -(10**19)),
    *(
        0.5,
        -0.0,
        1e308,
        -1e308,
        5e-324,
        "",
        "x",
        "0",
        "inf",
        "-inf",
        "nan",
        "\ud800",
        "\x00\x1b[31m",
        "é" * 999,
    ),
    *([], {}, [[]], [0, 0], [None], {"a": 1}, "a: 1", "A: 1", "1 + ", "targeting:\n  Shoot\n"),
    *("/dev/zero", "/dev/stdin", "/dev/fd/0", "/proc/kmsg", "-", "/", "../../../../dev/zero"),
)
"""What stands instead of a value."""

TEXTS = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "9" * 5001,
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 990 + "]" * 990,
    ),
    *('"' + "a" * 100_000 + '"', "1" * 400, "-0", '"\\ud83d"', "nul", "{}", "[]"),
)
"""What stands instead of a value in the text, as no value prints."""

MARK = "PLACE OF THE TEXT"


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of a JSON value, as what holds it and its key or number there."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def changed_json(data: Any, chance: Random) -> Any:
    """A copy of a JSON value in which a value or two were replaced, removed, repeated, or taken from elsewhere."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 1, 2))):
        known = list(places(data))
        if not known:
            return data
        holder, key = chance.choice(known)
        match chance.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case 2:
                other, there = chance.choice(known)
                holder[key] = copy.deepcopy(other[there])
            case _:
                holder[key] = copy.deepcopy(chance.choice(VALUES))
    return data


def changed_text(data: Any, chance: Random) -> str:
    """The JSON text of a value, with one of ``TEXTS`` instead of one of its values."""
    data = copy.deepcopy(data)
    holder, key = chance.choice(list(places(data)))
    holder[key] = MARK
    return json.dumps(data).replace(json.dumps(MARK), chance.choice(TEXTS))


def changed_bytes(content: bytes, chance: Random) -> bytes:
    """The bytes with a bit flipped, or a stretch of them removed, repeated, overwritten or put elsewhere."""
    found = bytearray(content)
    start = chance.randrange(len(content))
    stretch = slice(start, start + chance.choice((1, 1, 2, 4, 16, 512)))
    match chance.randrange(10):
        case 0:
            del found[stretch]
        case 1:
            found[start:start] = found[stretch]
        case 2:
            found[stretch] = bytes(len(found[stretch]))
        case 3:
            found[stretch] = chance.randbytes(len(found[stretch]))
        case 4:
            found = found[:start]
        case 5:
            there = chance.randrange(len(found))
            found[stretch] = found[there : there + len(found[stretch])]
        case _:
            found[start] ^= 1 << chance.randrange(8)
    return bytes(found)


Damage = Callable[[bytes, Random], bytes]
"""Gives other bytes instead of those of a file."""


def damaged_json(content: bytes, chance: Random) -> bytes:
    """A file of JSON with values or a text of its own changed."""
    data = json.loads(content)
    changed = changed_text(data, chance) if chance.random() < 0.2 else json.dumps(changed_json(data, chance))
    return changed.encode()


def damaged_lines(content: bytes, chance: Random) -> bytes:
    """A file of lines of JSON with one of them changed."""
    lines = content.splitlines(keepends=True)
    number = chance.randrange(len(lines))
    lines[number] = damaged_json(lines[number], chance) + b"\n"
    return b"".join(lines)


Use = Callable[[Path, Random], object]
"""The reading of a damaged file of a folder."""

Case = tuple[str, Damage, Use]
"""The name of a file, its damage, and its reading."""


def refusals(folder: Path, case: Case, seed: str, times: int) -> int:
    """The number of damaged files, of so many, that were refused with a message; the others were read without fault."""
    name, damage, use = case
    whole = (folder / name).read_bytes()
    refused = 0
    for number in range(times):
        chance = Random(f"{seed} {number}")  # noqa: S311
        (folder / name).write_bytes(damage(whole, chance))
        try:
            use(folder, chance)
        except GpkitError as error:
            assert str(error)
            refused += 1
        except Exception as fault:
            raise AssertionError(f"{name}, number {number} of the seed {seed}: {fault!r}") from fault
    return refused
