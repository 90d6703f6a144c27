"""Programs as JSON, a module for each language; ``gpkit.export.registry`` says its parts."""
