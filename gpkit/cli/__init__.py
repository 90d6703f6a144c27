"""The command line: options, printing, exit codes and the clock.

A command is one file of this folder, ``gpkit/cli/<name>.py``, that holds a ``command``, and one line of
``gpkit.cli.commands.COMMANDS``. ``gpkit/cli/list.py`` is a short one to copy. What commands and other surfaces share
lives in ``gpkit.app``; here arguments are read and results are shown.
"""
