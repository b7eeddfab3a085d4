"""What a report gives away: measured, attacked and planned. One measure per file."""
