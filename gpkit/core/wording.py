"""Numbers in sentences."""


def counted(count: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
