"""Numbers about programs and runs."""
