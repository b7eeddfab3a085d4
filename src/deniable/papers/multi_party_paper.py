"""Paper C, as the report has it."""

from deniable.papers.multi_party_claims import MULTI_PARTY_CLAIMS
from deniable.papers.multi_party_figures import figures
from deniable.papers.multi_party_trees import MULTI_PARTY_SETS, experiments
from deniable.papers.reproduction.experiment import Paper

MULTI_PARTY_TREES = Paper(
    "C",
    "Multi-party decision trees",
    "Zhan, Chang and Matwin",
    "Three parties hold different columns of the same records. Each disguises its own as one group "
    "and sends them to a collector, who grows ID3 from counts that are solved for the truth. All "
    "parties know the class. Every attribute is split in two at its median; four fifths of a set "
    "are for training, the same ones in all repeats.",
    MULTI_PARTY_SETS,
    experiments,
    figures,
    MULTI_PARTY_CLAIMS,
)
