"""ID3 as a textbook has it: plain Python over lists of records, the naive twin of the tree miner.

A record is a tuple of codes, the class last. Nothing here is shared with the package.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2

Record = tuple[int, ...]

TIE = 1e-9
"""Gains this close are equal, and the first attribute is taken."""


@dataclass(frozen=True)
class Node:
    counts: list[int]
    label: int
    attribute: int | None = None
    children: tuple["Node", ...] = ()

    def by_level(self) -> Iterator["Node"]:
        """This node, its children, its grandchildren, …"""
        level = [self]
        while level:
            yield from level
            level = [child for node in level for child in node.children]


def id3(records: Sequence[Record], sizes: Sequence[int]) -> Node:
    """Grow a tree; `sizes` are those of the attributes, then of the class."""
    # An attribute that can have one value only asks nothing.
    questions = [place for place, size in enumerate(sizes[:-1]) if size > 1]
    return _grown(list(records), sizes, questions, otherwise=0)


def _grown(
    records: list[Record], sizes: Sequence[int], questions: list[int], otherwise: int
) -> Node:
    counts = _class_counts(records, sizes[-1])
    if not records:
        return Node(counts, otherwise)
    majority = counts.index(max(counts))
    if max(counts) == len(records) or not questions:
        return Node(counts, majority)
    best = _best_question(records, sizes, questions)
    left = [question for question in questions if question != best]
    children = [
        _grown(part, sizes, left, majority) for part in _divided(records, best, sizes[best])
    ]
    return Node(counts, majority, best, tuple(children))


def _best_question(records: list[Record], sizes: Sequence[int], questions: list[int]) -> int:
    gains = [_gain(records, question, sizes) for question in questions]
    return next(q for q, gain in zip(questions, gains, strict=True) if gain >= max(gains) - TIE)


def _gain(records: list[Record], question: int, sizes: Sequence[int]) -> float:
    pairs = Counter((record[question], record[-1]) for record in records)
    after = 0.0
    for value in range(sizes[question]):
        part = [pairs[value, label] for label in range(sizes[-1])]
        after += sum(part) / len(records) * _entropy(part)
    return _entropy(_class_counts(records, sizes[-1])) - after


def _entropy(counts: list[int]) -> float:
    total = sum(counts)
    return -sum(count / total * log2(count / total) for count in counts if count)


def _class_counts(records: list[Record], classes: int) -> list[int]:
    found = Counter(record[-1] for record in records)
    return [found[label] for label in range(classes)]


def _divided(records: list[Record], question: int, size: int) -> list[list[Record]]:
    parts: list[list[Record]] = [[] for _ in range(size)]
    for record in records:
        parts[record[question]].append(record)
    return parts


def pruned(node: Node, records: list[Record]) -> Node:
    """Reduced-error pruning, bottom up: a subtree goes unless validation records say it is better.

    Records are those of the validation set that reach the node.
    """
    if node.attribute is None:
        return node
    parts = _divided(records, node.attribute, len(node.children))
    below = [pruned(child, part) for child, part in zip(node.children, parts, strict=True)]
    kept = Node(node.counts, node.label, node.attribute, tuple(below))
    leaf = Node(node.counts, node.label)
    return kept if _right(kept, records) > _right(leaf, records) else leaf


def answer(node: Node, record: Record) -> int:
    """What the tree says about a record."""
    while node.attribute is not None:
        node = node.children[record[node.attribute]]
    return node.label


def _right(node: Node, records: list[Record]) -> int:
    return sum(answer(node, record) == record[-1] for record in records)
