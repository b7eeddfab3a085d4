"""Beyond the papers, as the report has it."""

from deniable.papers.equal_privacy import COMPARED_SETS, experiments
from deniable.papers.equal_privacy_claims import EQUAL_PRIVACY_CLAIMS
from deniable.papers.equal_privacy_figures import figures
from deniable.papers.reproduction.experiment import Paper

BEYOND_THE_PAPERS = Paper(
    "beyond",
    "At equal privacy: the papers, ours, and local differential privacy",
    "A comparison of our own",
    "All schemes ask the same people the same ten questions in two values, the class among them: "
    "of each set those nine that tell most about the class, up to 4,000 people. An attacker who "
    "knows the design and all reports guesses each record, each answer, and the class, which "
    "stands for a sensitive answer: whoever has a secret fears for that one, not for an average "
    "over ten, of which a scheme might give one away entirely. Schemes are compared where the "
    "attacker is right equally often; a scheme that cannot be made so private says the larger "
    "class. Local differential privacy is collected in two ways, as its packages do: generalized "
    "randomized response (for two values the related question) for each answer, with ε shared "
    "out, and all of ε for one pair, a feature drawn at random together with the class. “RS+FD” "
    "fakes the answers that were not drawn; it tells no pair, so that nothing can be mined. “One "
    "coin” is the papers’ unrelated question with even personal answers: all ten are kept, or "
    "all ten are drawn at random.",
    COMPARED_SETS,
    experiments,
    figures,
    EQUAL_PRIVACY_CLAIMS,
    ours=True,
)
