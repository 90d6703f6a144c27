"""Games, a folder each: readable rules, their compiled twin, sensors, opponents and boards."""
