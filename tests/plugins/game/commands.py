"""Commands of Coins."""

from gpkit.api.arguments import command


@command
def rest(coins: int, *, most: int = 3) -> str:
    """Show how many coins to take.

    Args:
        coins: that are there.
        most: that can be taken at once.
    """
    return f"take {coins % (most + 1) or 1}\n"


COMMANDS = (rest,)
