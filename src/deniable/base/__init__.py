"""What everybody uses and what knows nothing of our field: errors, arrays, files, wording."""
