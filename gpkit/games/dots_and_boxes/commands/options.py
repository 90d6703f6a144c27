"""Options of the commands that make rule lists of Dots and Boxes."""

import click

board_option = click.option(
    "--board", default="3x3", show_default=True, help="Columns and rows of boxes, at most 3x3."
)

list_file_option = click.option(
    "-o", "--output", "path", metavar="FILE", help="File for the list. Default: standard output."
)
