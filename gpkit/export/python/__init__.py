"""Python files that need nothing but Python."""
