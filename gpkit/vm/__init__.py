"""The machine: one instruction table, verified programs and the compiled loops."""
