"""What everything stands on: errors, diagnostics, random streams, primitive sets, registries."""
