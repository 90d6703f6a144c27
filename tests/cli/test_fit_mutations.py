"""Tables that are mutated at random: ``gpkit fit`` fits them or refuses them, and never ends in a traceback."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.evolution import loop


def mutated(content: bytes, number: int) -> bytes:
    """The mutation of that number: bytes changed, deleted, repeated, or signs of CSV, NULs and halves of UTF-8."""
    rng, found = stream(0, "mutated tables of fits", number), bytearray(content)
    for _ in range(int(rng.integers(1, 3))):
        place, other = (int(rng.integers(len(found))) for _ in range(2))
        length = int(rng.integers(1, 30))
        match int(rng.integers(6)):
            case 0:
                found[place] = int(rng.integers(256))
            case 1:
                del found[place : place + length]
            case 2:
                found[place:place] = found[other : other + length]
            case 3:
                end = found.find(b"\n", place)
                found = found[:place] + (found[end:] if end > 0 and rng.random() < 0.7 else b"")
            case 4:
                found = found[:place] + found[place:].replace(b'"', b'""', 1)
            case _:
                signs = (
                    b'"',
                    b",",
                    b";",
                    b"\n",
                    b"\t",
                    b"\0",
                    b"\r",
                    b"\xef\xbb\xbf",
                    b"\xc3",
                    b"1e999",
                    b"nan",
                    b"\x1f",
                )
                found[place:place] = signs[int(rng.integers(len(signs)))]
        found = found or bytearray(b"\n")
    return bytes(found)


def told_of_mutations(gpkit, folder: Path, monkeypatch: pytest.MonkeyPatch, numbers: range) -> Counter[str]:
    """How many mutated tables were refused, and how many were fitted, every fiftieth of them in earnest."""
    words = ["new"] * 8 + ['"old, é"']
    rows = [f"{x},{words[x % 9]},{x % 4 or ''},{'yes' if x % 2 else 'no'},{x * 7 % 11}.25" for x in range(30)]
    content = "\n".join(['x,"kind, of",log,class,y', *rows, ""]).encode()
    in_earnest = loop.evolve

    def begun(run: Any, *given: Any, **options: Any) -> Any:
        if number % 50 == 0:
            return in_earnest(run, *given, **options)
        run.search()
        raise UsageError("evolution begins")

    monkeypatch.setattr(loop, "evolve", begun)
    told: Counter[str] = Counter()
    for number in numbers:
        table = folder / "mutated.csv"
        table.write_bytes(mutated(content, number))
        options = ("--target", ("y", "class", "x")[number % 3], "--generations", 1, "--population", 30)
        kind = ("--as", "tree") if number % 2 else ()
        out = folder / f"run-{number}"
        outcome = gpkit("fit", table, *options, *kind, "--out", out)
        assert outcome.code in (0, 2, 3), (number, outcome.err)
        assert "Traceback" not in outcome.err
        if outcome.code == 0:
            assert gpkit("predict", out, table).code == 0, number
        told["begun" if outcome.code == 0 or "evolution begins" in outcome.err else "refused"] += 1
    return told


def test_a_few_mutated_tables_are_fitted_or_refused(gpkit, tmp_path: Path, monkeypatch: Any) -> None:
    told = told_of_mutations(gpkit, tmp_path, monkeypatch, range(1, 40))
    assert min(told["begun"], told["refused"]) >= 5


@pytest.mark.slow
def test_many_mutated_tables_are_fitted_or_refused(gpkit, tmp_path: Path, monkeypatch: Any) -> None:
    told = told_of_mutations(gpkit, tmp_path, monkeypatch, range(10_000))
    assert min(told["begun"], told["refused"]) > 1_000, told
