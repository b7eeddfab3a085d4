"""The report of what a design gives away: measured, attacked, and what it warns of."""
