"""The language of decision trees."""
