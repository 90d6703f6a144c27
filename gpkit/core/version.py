"""The version of gpkit, and the versions that long work depends on."""

from gpkit.core.plugins import file_of

VERSION = "0.1.0"

GAME_FILE = "game file"
"""Among the versions: the SHA-256 of the file of a game from outside."""


def versions(game: str = "") -> dict[str, str]:
    """The versions that work on a game depends on; for a game in a file, also the SHA-256 of the file."""
    import platform
    from importlib.metadata import version  # which takes its time

    external = file_of(game)
    return {
        **({GAME_FILE: external[1]} if external is not None else {}),
        "gpkit": VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }
