"""The figures of paper A, and ours beside them."""

from collections.abc import Sequence

from deniable.base.wording import plural
from deniable.papers.datasets import SETS
from deniable.papers.multi_group_trees import GROUPS, MULTI_GROUP_SETS, SCORED
from deniable.papers.related_groups import THETAS, UPPER
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series

NUMBERS = {name: number for number, name in enumerate(MULTI_GROUP_SETS, start=3)}
"""The paper's figure of each set."""

EXPERIMENTS = {
    "faithful": "faithful",
    "plain ID3": "faithful",
    "larger class": "faithful",
    "tree": "tree",
    "group-wise": "many trees",
    "forest": "many trees",
    "best": "best",
}
"""Which experiment measures a scheme."""

OURS_AND_MARKS = (
    "faithful", "tree", "group-wise", "forest", "best", "plain ID3", "larger class",
)  # fmt: skip
HALF_GAP = (0.5,)
MIDDLE = "2"
"""Groups where a figure shows only one number of them."""


def figures(found: Measurements) -> Sequence[Figure]:
    """Figures 3 to 6, ours for the same sets, and what the paper says without a figure."""
    theirs = [_of_set(found, name) for name in MULTI_GROUP_SETS]
    return [
        *theirs,
        _by_groups(found),
        *(_ours(found, name) for name in MULTI_GROUP_SETS),
        _public_class(found),
        _scored(found),
    ]


def line(
    found: Measurements,
    scheme: str,
    name: str,
    groups: str,
    label: str,
    thetas: Sequence[str] = THETAS,
) -> Series:
    """Accuracy of a scheme on one set through so many groups, by θ."""
    experiment = EXPERIMENTS[scheme]
    where = {"set": name, "groups": groups}
    points = [
        (float(theta), found.values(experiment, scheme, **where, theta=theta))
        for theta in thetas
        if found.has(experiment, **where, theta=theta)
    ]
    reference = scheme in {"plain ID3", "larger class"}
    return Series(label, {**where, "scheme": scheme}, points, reference)


def _of_set(found: Measurements, name: str) -> Figure:
    """Figures 3, 4 and 5."""
    lines = [
        line(found, "faithful", name, groups, plural(int(groups), "group")) for groups in GROUPS
    ]
    plain = line(found, "plain ID3", name, GROUPS[0], "plain ID3")
    return Figure(
        f"A-{NUMBERS[name]}",
        f"Figure {NUMBERS[name]}: {SETS[name].title}",
        "The paper’s ID3 on disguised records, tested on undisguised ones; plain ID3 is the "
        "benchmark. At θ = ½ nothing can be undone, so that no line crosses it.",
        [
            Panel("(a) Mean of accuracy", [*lines, plain], gap=HALF_GAP),
            Panel("(b) Variance of accuracy", lines, "variance", gap=HALF_GAP, low=0),
        ],
    )


def _by_groups(found: Measurements) -> Figure:
    """Figure 6: accuracy by groups and θ together, a line for each θ."""
    name = MULTI_GROUP_SETS[0]
    lines = [
        Series(
            f"θ = {theta}",
            {"set": name, "theta": theta, "scheme": "faithful"},
            [
                (
                    float(groups),
                    found.values("faithful", "faithful", set=name, groups=groups, theta=theta),
                )
                for groups in GROUPS
            ],
        )
        for theta in reversed(UPPER)
    ]
    ticks = {float(groups): groups for groups in GROUPS}
    return Figure(
        "A-6",
        f"Figure 6: groups and θ together, {SETS[name].title}",
        "The paper draws a surface over both; here is a line for each θ. The nearer to ½, the "
        "more another group costs.",
        [Panel("Mean of accuracy", lines, x="groups", ticks=ticks)],
    )


def _ours(found: Measurements, name: str) -> Figure:
    """Every miner on the same reports."""
    panels = []
    for groups in GROUPS:
        lines = [line(found, scheme, name, groups, scheme, UPPER) for scheme in OURS_AND_MARKS]
        panels.append(Panel(plural(int(groups), "group"), lines))
    return Figure(
        f"A-{NUMBERS[name]}-ours",
        f"{SETS[name].title}: the paper’s tree and ours, from the same reports",
        "“Faithful” is the paper’s ID3. “Tree” is what “mine tree” grows by default; “best” "
        "chooses between trees, group-wise Bayes and forests by what the reports say of them. "
        "Slower miners have fewer repeats. Whiskers are two standard errors of the mean.",
        panels,
        main=name == MULTI_GROUP_SETS[0],
        compared=True,
    )


def _public_class(found: Measurements) -> Figure:
    """The class disguised or not."""
    panels = []
    for name in MULTI_GROUP_SETS:
        lines = []
        for scheme in ("faithful", "tree"):
            lines.append(line(found, scheme, name, MIDDLE, f"{scheme}, disguised", UPPER))
            of = {"set": name, "groups": MIDDLE, "scheme": scheme, "class": "public"}
            points = [
                (
                    float(theta),
                    found.values("public class", scheme, set=name, groups=MIDDLE, theta=theta),
                )
                for theta in UPPER
            ]
            lines.append(Series(f"{scheme}, public", of, points))
        panels.append(Panel(SETS[name].title, lines))
    return Figure(
        "A-class",
        f"The class disguised like the rest, or public ({MIDDLE} groups)",
        "The paper allows both and does not say which one its figures show. Its experiment turns "
        "“each attribute value of the record”, so that is what we draw.",
        panels,
    )


def _scored(found: Measurements) -> Figure:
    """Accuracy from a disguised test set."""
    panels = []
    for name in MULTI_GROUP_SETS:
        lines = [
            Series(
                plural(int(groups), "group"),
                {"set": name, "groups": groups, "scheme": "estimated − true accuracy"},
                [
                    (float(t), found.values("scored", "error", set=name, groups=groups, theta=t))
                    for t in SCORED
                ],
            )
            for groups in GROUPS
        ]
        title, y = SETS[name].title, "estimated − true accuracy"
        panels.append(Panel(title, lines, "standard deviation", y=y, low=0))
    return Figure(
        "A-scored",
        "Section 4.6: accuracy counted through the disguise",
        "Plain ID3 is scored on disguised test records. The estimate is right on average; how far "
        "a single one is off is drawn here. Test sets of the papers’ sizes are too small for it "
        "where several groups are well disguised.",
        panels,
    )
