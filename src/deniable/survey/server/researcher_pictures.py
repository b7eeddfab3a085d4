"""Pictures and pages for the researcher, made by the parts that the commands use."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from deniable.base.errors import EstimateError
from deniable.mine.draw.tree_drawing import svg
from deniable.mine.tree.decision_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.page import page
from deniable.privacy.page.markup import STYLE
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.survey.export import export
from deniable.survey.protocol import ARMS
from deniable.survey.questionnaire import Survey
from deniable.survey.reports import shuffled
from deniable.survey.store.store import Store


def tree_picture(store: Store, target: str) -> str:
    """Draw the tree that predicts one answer from the others; it changes only with a batch."""
    released = store.released()
    if released is None:
        raise EstimateError("There are not enough answers yet.", hint="Wait for the first batch.")
    store.survey.design.schema.position(target)  # of another name, nothing is kept
    drawn: str = store.frozen(f"tree of {target}", released["batch"], lambda: _tree(store, target))
    return drawn


def _tree(store: Store, target: str) -> str:
    design = store.survey.design
    # Sorted by report, folds would be dealt by answer; any fixed other order will do.
    reports = shuffled(store.records("disguised"), np.random.default_rng(0))
    return svg(mine_tree(RandomizedOracle(reports, design), target))


def privacy_page(survey: Survey) -> tuple[str, str]:
    """Write the privacy report of the survey's design, and say which style it carries."""
    return page(measure_privacy(survey.design), survey.name), f"\n{STYLE}"


def zipped(store: Store, language: str) -> bytes:
    """Export the released answers as one archive; the language is the survey's first if unknown."""
    survey = store.survey
    arms = {arm: store.records(arm) for arm in ARMS}
    known = language if language in survey.languages else None
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / survey.name
        export(survey, arms, folder, language=known)
        archive = BytesIO()
        with ZipFile(archive, "w", ZIP_DEFLATED) as file:
            for path in sorted(folder.iterdir()):
                file.write(path, f"{survey.name}/{path.name}")
    return archive.getvalue()
