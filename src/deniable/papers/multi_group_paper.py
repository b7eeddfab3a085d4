"""Paper A, as the report has it."""

from deniable.papers.multi_group_claims import MULTI_GROUP_CLAIMS
from deniable.papers.multi_group_figures import figures
from deniable.papers.multi_group_trees import MULTI_GROUP_SETS, experiments
from deniable.papers.reproduction.experiment import Paper

MULTI_GROUP_TREES = Paper(
    "A",
    "Multi-group randomized response and decision trees",
    "Zhan and Du",
    "Attributes are dealt into one, two or three groups at random, the class among them; each "
    "group tells the truth or lies as a whole. ID3 grows a tree from counts that are solved for "
    "the truth. Every attribute is split in two at its median; four fifths of a set are for "
    "training, the same ones in all repeats, so that what varies is the disguise.",
    MULTI_GROUP_SETS,
    experiments,
    figures,
    MULTI_GROUP_CLAIMS,
)
