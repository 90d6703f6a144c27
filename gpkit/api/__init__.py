"""The Python interface: what ``import gpkit`` offers to programs and notebooks, beside the command line."""
