"""Forms of the language, found by their names: for pictures, exports, evolution and traces."""
