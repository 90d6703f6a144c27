"""Games, with one folder for each: readable rules, compiled rules, sensors, opponents and boards."""
