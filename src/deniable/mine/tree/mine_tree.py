"""Mining a decision tree: which growth, whether chance alone explains it, and how far it is cut."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from deniable.base.errors import ModelError, nearest
from deniable.mine.chance import Evidence, tested
from deniable.mine.model import checked_features, checked_random_state, require_records
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import Progress, SplitRule, Window
from deniable.mine.tree.grown_trees import grown_tree, shrunk_tree, single_leaf
from deniable.mine.tree.noise_rule import checked_strength, strength_by_folds
from deniable.oracle.api import CountOracle
from deniable.oracle.shrunk.shrunk_oracle import has_noise

Growth = Literal["shrunk", "noise-aware", "faithful"]

FOLDS = 4

NOTHING_PREDICTS = "One leaf: nothing here predicts it more than chance would."


def mine_tree(
    oracle: CountOracle,
    target: str,
    *,
    features: Sequence[str] | None = None,
    growth: Growth | None = None,
    confirm: CountOracle | None = None,
    window: Window = None,
    validation: CountOracle | None = None,
    max_depth: int | None = None,
    strength: float | None = None,
    cv: int = FOLDS,
    random_state: int = 0,
    progress: Progress | None = None,
) -> DecisionTree:
    """Grow a tree from an oracle's counts.

    ``shrunk``, the default where records are disguised, grows ID3 on shrunk counts
    (`ShrunkOracle`): what several disguised groups say together is believed as far as it stands out
    from the noise, and else made of what each of them says; splits that change no answer are
    dropped. ``faithful`` is the papers' ID3: it stops on estimated purity, emptiness, or when no
    attribute is left. ``noise-aware`` grows the faithful tree and keeps what the known noise of the
    counts does not explain; how strictly is chosen on the reports themselves (`cv`), unless
    `strength` says. It is the default elsewhere, and with a `strength` or a `confirm`.

    Where nothing predicts the target more than chance would (`evidence`), the tree is one leaf that
    says so. A faithful tree, or one with a `confirm`, is grown all the same, and says so, too.

    With `confirm`, an exact oracle decides among the candidates that `oracle` ranks within the
    `window`: so many, ``"adaptive"``: as many as may well turn out better than the best, by
    more bits than luck explains (`deniable.mine.tree.gain`), or ``"full"``: all, which is the
    default. With `validation`, the tree is cut back by other records (`DecisionTree.pruned`).
    """
    if growth is None:
        shrinks = strength is None and confirm is None and has_noise(oracle)
        growth = "shrunk" if shrinks else "noise-aware"
    if growth not in get_args(Growth):
        raise ModelError(
            f"There is no growth rule {growth!r}.", hint=nearest(growth, get_args(Growth))
        )
    names = checked_features(features, target, oracle.schema)
    require_records(oracle)
    if window is not None and confirm is None:
        raise ModelError(
            "A window says how many candidates are confirmed, and there is nothing to confirm by.",
            hint="Give an exact oracle too (confirm=…), or leave the window out.",
        )
    if growth == "shrunk" and not (strength is None and confirm is None):
        given = "strength" if confirm is None else "second oracle"
        raise ModelError(
            f"A tree of shrunk counts has no use for a {given}.",
            hint="Leave it out, or use growth='noise-aware'.",
        )
    rule, rng = SplitRule(window, max_depth), checked_random_state(random_state)
    found = tested(oracle, target, names)
    gated = growth != "faithful" and confirm is None
    if gated and found is not None and not found.found():
        return _chance_leaf(single_leaf(oracle, target, names), found)
    if growth == "shrunk":
        tree = shrunk_tree(oracle, target, names, rule, progress=progress)
        tree = tree if validation is None else tree.pruned(validation)
        return replace(tree, evidence=found)
    if growth == "faithful":
        strength = 0.0
    elif strength is None:
        axes = [name for name in names if name != target]
        strength = strength_by_folds(oracle, target, axes, rule, cv=cv, rng=rng, progress=progress)
    tree = grown_tree(
        oracle,
        target,
        names,
        rule,
        checked_strength(strength),
        confirm=confirm,
        cut=growth == "noise-aware",
    )
    tree = tree if validation is None else tree.pruned(validation)
    return replace(tree, evidence=found)


def _chance_leaf(leaf: DecisionTree, found: Evidence) -> DecisionTree:
    """Say that chance explains whatever there is; of a single class there was nothing to test."""
    single = (leaf.counts[0] > 0).sum() < 2  # noqa: PLR2004 (a class against another)
    why = leaf.note if found.p is None or single else NOTHING_PREDICTS
    return replace(leaf, note=why, evidence=found)
