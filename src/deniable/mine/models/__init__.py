"""What every mined model is, and how models are read and written."""
