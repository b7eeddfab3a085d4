"""The papers by their letters, as docs/reproduce.md and `deniable reproduce` name them."""

from collections.abc import Mapping

from deniable.papers.electronic_surveys import SURVEYS_OF_2004, SURVEYS_OF_2007
from deniable.papers.equal_privacy_paper import BEYOND_THE_PAPERS
from deniable.papers.hybrid_mining import HYBRID_MINING
from deniable.papers.multi_group_paper import MULTI_GROUP_TREES
from deniable.papers.multi_party_paper import MULTI_PARTY_TREES
from deniable.papers.reproduction.experiment import Paper

PAPERS: Mapping[str, Paper] = {
    paper.letter: paper
    for paper in (
        MULTI_GROUP_TREES,
        SURVEYS_OF_2004,
        MULTI_PARTY_TREES,
        HYBRID_MINING,
        SURVEYS_OF_2007,
        BEYOND_THE_PAPERS,
    )
}
