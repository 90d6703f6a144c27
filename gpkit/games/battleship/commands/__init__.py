"""Commands of Battleship."""

COMMANDS = {
    "agent": "Show, reset or export what the adaptive player knows about an opponent.",
}
"""By name the help of each, in the order of the help page; the module of that name has the command."""
