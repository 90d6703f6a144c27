"""Following programs that are not asked for one action after another, a module for each such language.

A form has ``steps(game, seated, deals, rules)``, which makes the ``gpkit.playing.trace.Step`` of the first deal's game.
"""
