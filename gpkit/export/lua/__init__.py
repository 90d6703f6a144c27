"""Programs as Lua: expressions, modules that test themselves, whole players; and the way back."""
