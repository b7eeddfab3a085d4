"""What a report gives away: one measure per file."""
