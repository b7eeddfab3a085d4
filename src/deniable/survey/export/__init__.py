"""A survey's answers as files: for `deniable`, for SPSS, Stata and spreadsheets, with a codebook.

What leaks: disguised reports, as they were sent, and direct answers, as they were given. Rows are
shuffled anew in every export, so that no place in a file says when an answer came.
"""

from deniable.survey.export.folder import FORMATS, Exported, export

__all__ = ["FORMATS", "Exported", "export"]
