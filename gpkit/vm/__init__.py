"""The machine: a table of instructions, verified programs, and compiled loops."""
