"""The command line: the only part that prints, reads the clock, and knows paths.

A command is one file of this folder, ``gpkit/cli/<name>.py``, that holds a ``command``, and one line of
``gpkit.cli.main.COMMANDS``. ``gpkit/cli/list.py`` is a short one to copy. What a command computes lives in the layers
below; here its arguments are read and its result is shown.
"""
