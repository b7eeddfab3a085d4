"""Doing papers again: work off what is not done yet, draw the figures, check the claims, write."""

from collections.abc import Callable, Sequence
from pathlib import Path

from deniable.base.errors import OutputError
from deniable.base.files import write_errors, write_whole
from deniable.papers.datasets import find
from deniable.papers.reproduction.experiment import Done, Effort, Paper, Piece
from deniable.papers.reproduction.figure_picture import picture
from deniable.papers.reproduction.kept_pieces import KeptPieces
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import CheckedClaim
from deniable.papers.reproduction.report_files import PaperResults, Report, write_tables
from deniable.papers.reproduction.report_page import page
from deniable.papers.reproduction.workers import worked

PAGE = "report.html"
PIECES = "pieces"
FIGURES_FOLDER = "figures"

Progress = Callable[[int, int], None]
"""Told how many pieces of how many are done, every second or so."""


def reproduce(
    papers: Sequence[Paper],
    folder: Path,
    *,
    effort: Effort,
    seed: int,
    jobs: int,
    fresh: bool = False,
    progress: Progress = lambda done, total: None,
) -> Report:
    """Do the papers' experiments again and write the report; what is done already is taken up."""
    for name in dict.fromkeys(name for paper in papers for name in paper.data):
        find(name)  # refuses what is not here, before any work
    _require_folder(folder)
    kept = KeptPieces(folder / PIECES, seed)
    if fresh:
        kept.forget()
    pieces = [
        piece
        for paper in papers
        for experiment in paper.experiments(effort)
        for piece in experiment.pieces(paper.letter)
    ]
    done = _worked_off(pieces, kept, seed, jobs, progress)
    results = [_results(paper, pieces, done) for paper in papers]
    seconds = sum(each.seconds for each in done)
    report = Report(results, seed, effort.quick, effort.asked, seconds)
    write_tables(report, folder / FIGURES_FOLDER)
    for each in results:
        for figure in each.figures:
            if not figure.table:
                write_whole(folder / FIGURES_FOLDER / f"{figure.name}.svg", picture(figure, report))
    write_whole(folder / PAGE, page(report))
    return report


def _require_folder(folder: Path) -> None:
    with write_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder} is a file.", hint="Name a folder for the report.")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / PIECES).is_dir():
            raise OutputError(
                f"{folder} is a folder with something else in it.", hint="Name a new folder."
            )
        for part in (PIECES, FIGURES_FOLDER):
            (folder / part).mkdir(parents=True, exist_ok=True)


def _worked_off(
    pieces: Sequence[Piece], kept: KeptPieces, seed: int, jobs: int, progress: Progress
) -> list[Done]:
    """Give what each piece measures; what is new is kept as soon as it is there."""
    found = [kept.find(piece) for piece in pieces]
    place = {id(piece): at for at, piece in enumerate(pieces)}
    missing = [piece for piece, known in zip(pieces, found, strict=True) if known is None]
    many = len(pieces) - len(missing)
    progress(many, len(pieces))
    for news in worked(missing, seed, jobs):
        if news is not None:
            piece, done = news
            kept.keep(piece, done)
            found[place[id(piece)]] = done
            many += 1
        progress(many, len(pieces))
    return [each for each in found if each is not None]


def _results(paper: Paper, pieces: Sequence[Piece], done: Sequence[Done]) -> PaperResults:
    own = [
        (piece, each.measured)
        for piece, each in zip(pieces, done, strict=True)
        if piece.paper == paper.letter
    ]
    found = Measurements.of(own)
    claims = [CheckedClaim(claim, claim.check(found)) for claim in paper.claims]
    return PaperResults(paper, paper.figures(found), claims)
