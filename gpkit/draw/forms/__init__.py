"""Pictures of programs, a module for each language; ``gpkit.draw.programs`` says its functions."""
