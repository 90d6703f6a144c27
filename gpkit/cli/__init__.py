"""The command line: options, printing, exit codes and the clock.

A command is one typed function of ``gpkit.api``, and one line of ``gpkit.cli.commands.COMMANDS``; here its arguments
are read and its answer is shown. A file of this folder, ``gpkit/cli/<name>.py``, holds what the shell alone has of it.
"""
