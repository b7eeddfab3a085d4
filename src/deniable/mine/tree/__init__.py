"""Decision trees (ID3) mined from counts."""
