"""What a survey's answers say, and how far that can be trusted."""

from deniable.survey.results.results import Results, Share, results

__all__ = ["Results", "Share", "results"]
