"""Commands of Dots and Boxes: rule lists learned, grown, chosen and judged, and positions solved."""

COMMANDS = {
    "learn": "Learn rules from games while they are played.",
    "match": "Count where the rules of a program match, and what they are worth there.",
    "solve": "Solve a position of Dots and Boxes: the value of every edge.",
    "select": "Choose a short rule list out of many rules by its exact win rate.",
    "grow": "Grow a stronger rule list from a weaker one, by the least of its win rates.",
}
"""By name the help of each, in the order of the help page; the module of that name has the command."""
