"""Papers for an ethics board, written from a survey's file: what is asked, protected and measured.

Each is a text with gaps in Markdown (`texts`), filled from `facts`, and read back into blocks that
become HTML and Word. They hold what the survey's file and its results hold, and no answers.
"""
