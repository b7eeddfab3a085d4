"""What both sides of a collaboration share: the run, its people, its words."""
