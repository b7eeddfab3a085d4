"""Planning a survey: which design keeps a promise of privacy and of precision."""
