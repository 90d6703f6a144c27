"""The command line: arguments, printing, exit codes and the clock.

A command is one typed function of ``gpkit.api``, and one line of ``gpkit.cli.commands.COMMANDS``; this package reads
its arguments and shows its result. A file ``gpkit/cli/<name>.py`` adds the parts of a command that exist only in the
shell.
"""
