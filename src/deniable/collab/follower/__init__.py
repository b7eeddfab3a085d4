"""The side that only answers: what a party does when a leader asks."""
