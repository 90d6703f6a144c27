"""``gpkit draw`` of waves: boards in text, curves beside densities in pictures."""

from pathlib import Path

from kernel_marks import compiled_only

WAVE = "1 1 0 1\n0 1 0.5 2\n0 1 0 1\n0 1 0 1\n0 1 0 1\n"


def test_a_wave_without_a_density_is_a_board(folder: Path, gpkit) -> None:
    (folder / "a.wave").write_text(f"// rules: board=4x3 fleet=2\n{WAVE}")
    drawn = gpkit("draw", "a.wave")
    assert drawn.code == 0
    lines = drawn.out.splitlines()
    assert lines[0].startswith("a.wave, 0 is −1.5 and 99 is 0.75")
    assert [len(line.split()) for line in lines[1:4]] == [4, 4, 4]
    assert gpkit("draw", "a.wave", "-o", "a.svg").code == 0
    assert "1 sin 1t" in (folder / "a.svg").read_text()


@compiled_only
def test_a_wave_is_compared_with_the_density_of_its_header(folder: Path, gpkit) -> None:
    (folder / "a.wave").write_text(f"// density: wall\n{WAVE}")
    drawn = gpkit("draw", "a.wave")
    assert "correlation −" in drawn.out.replace("-", "−")
    assert "density of wall, 0 is 0 and 99 is 0.5" in drawn.out
    assert gpkit("draw", "a.wave", "-o", "a.svg").code == 0
    assert "wave, to scale" in (folder / "a.svg").read_text()
