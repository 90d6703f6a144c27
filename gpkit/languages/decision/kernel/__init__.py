"""Decision trees over rows, compiled; the interpreter gives the meaning."""
