"""How many answers a second a survey takes, beside a handler that only commits a row."""
