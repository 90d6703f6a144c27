"""Words that messages share: numbers in sentences, and how what is missing is installed."""

from pathlib import Path

DISTRIBUTION = "gpkit-games"

_PACKAGE = Path(__file__).resolve().parent.parent


def install_command(extra: str) -> str:
    """The command that brings the packages of an extra; in a checkout it is called in its folder."""
    is_checkout = (_PACKAGE.parent / "pyproject.toml").is_file()
    return f"pip install -e '.[{extra}]'" if is_checkout else f"pip install '{DISTRIBUTION}[{extra}]'"


def counted(count: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
