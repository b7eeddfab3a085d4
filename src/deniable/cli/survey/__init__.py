"""`deniable survey …`: a survey from its file to its results."""
