"""Shared work of the commands, below options, printing and the clock: players by name, runs, findings and pages."""
