"""Pictures of programs and runs."""
