"""Programs as Lua, a module for each language; ``gpkit.export.registry`` says its parts."""
