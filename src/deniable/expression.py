"""Conjunctions, as plain data.

``smokes=yes & region=north`` asks for the records that satisfy both terms, ``*`` for every record.
How names and values are quoted: `deniable.quoting`.

A `Family` is many conjunctions as one array of codes: what an oracle counts in one go.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import ExpressionError, SchemaError
from deniable.quoting import (
    EVERYONE,
    QUOTED,
    TERM_NAME,
    TERM_VALUE,
    meant_terms,
    quoted,
    unquoted,
)
from deniable.schema import Schema

ANY = -1
"""The code of an attribute that a conjunction leaves open."""

_RULE = re.compile(
    rf"(?P<premise>(?:{QUOTED}|(?!=>).)*)=>(?P<conclusion>(?:{QUOTED}|.)*):\s*"
    r"(?P<confidence>\d*\.?\d+)\s*"
)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Terms that must all hold; no terms, and every record satisfies it.

    >>> Conjunction.of(smokes="yes", region="north")
    Conjunction('smokes=yes & region=north')
    """

    terms: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, str] | None = None, /, **more: str) -> "Conjunction":
        """Build from names and values, when there is no text to parse."""
        return cls(tuple({**(values or {}), **more}.items()))

    def __and__(self, other: "Conjunction") -> "Conjunction":
        return Conjunction(self.terms + other.terms)

    def __str__(self) -> str:
        return " & ".join(f"{quoted(n, name=True)}={quoted(v)}" for n, v in self.terms) or EVERYONE

    def __repr__(self) -> str:
        return f"Conjunction({str(self)!r})"


@dataclass(frozen=True)
class Implication:
    """If the premise holds, an attribute has a value, with some confidence."""

    premise: Conjunction
    attribute: str
    value: str
    confidence: float

    @classmethod
    def parse(cls, text: str, schema: Schema) -> "Implication":
        """Read ``premise => name=value: confidence``.

        >>> schema = Schema.of({"smokes": ["no", "yes"], "drinks": ["no", "yes"]})
        >>> Implication.parse("smokes=yes => drinks=yes: 0.8", schema).confidence
        0.8
        """
        found = _RULE.fullmatch(text)
        if found is None or not float(found["confidence"]) <= 1:
            raise ExpressionError(
                f"{text!r} is no rule.", hint="Write 'smokes=yes => drinks=yes: 0.8'."
            )
        terms = parse(found["conclusion"], schema).terms
        if len(terms) != 1:
            raise ExpressionError(
                f"The rule {text!r} must conclude one value.", hint="Write a rule for each."
            )
        return cls(parse(found["premise"], schema), *terms[0], float(found["confidence"]))


def rule_sets(rules: "Iterable[Implication]") -> "list[list[Implication]]":
    """Put rules together that conclude about one attribute from premises about the same ones."""
    sets: defaultdict[tuple[str, frozenset[str]], list[Implication]] = defaultdict(list)
    seen: dict[tuple[frozenset[tuple[str, str]], str, str], float] = {}
    for rule in rules:
        key = frozenset(rule.premise.terms), rule.attribute, rule.value
        if key not in seen:
            sets[rule.attribute, frozenset(name for name, _ in rule.premise.terms)].append(rule)
        if seen.setdefault(key, rule.confidence) != rule.confidence:
            raise ExpressionError(
                f"{rule.premise} => {rule.attribute}={rule.value} is given with two confidences.",
                hint="Give each rule once.",
            )
    return list(sets.values())


Expression = str | Conjunction | Mapping[str, str]
"""What users may write wherever a conjunction is asked for."""


@dataclass(frozen=True, eq=False)
class Family:
    """Many conjunctions over the same columns; ``codes[q, c]`` is a value's code, or ANY."""

    columns: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, expressions: "Iterable[Expression] | Family", schema: Schema) -> "Family":
        """Compile conjunctions, whatever they were written as."""
        if isinstance(expressions, Family):
            return expressions
        parsed = [conjunction(expression, schema) for expression in expressions]
        used = {name for each in parsed for name, _ in each.terms}
        columns = tuple(name for name in schema.names if name in used)
        place = {name: column for column, name in enumerate(columns)}
        codes = np.full((len(parsed), len(columns)), ANY, dtype=np.int64)
        for row, each in enumerate(parsed):
            for name, value in each.terms:
                codes[row, place[name]] = schema[name].code(value)
        return cls(columns, codes)

    @classmethod
    def table(cls, names: Sequence[str], schema: Schema) -> "Family":
        """Every cell of the joint table of some attributes, the last one varying fastest."""
        shape = [schema[name].size for name in names]
        cells = np.indices(shape).reshape(len(shape), -1).T
        return cls(tuple(names), np.ascontiguousarray(cells, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.codes)

    def recoded(self, old: Schema, new: Schema) -> "Family":
        """Write the same conjunctions for a schema that lists values in another order."""
        if all(old[name] == new[name] for name in self.columns):
            return self
        codes = self.codes.copy()
        for column, name in enumerate(self.columns):
            # One more place, for ANY = −1, which indexes the last.
            table = np.array([*(new[name].code(value) for value in old[name].values), ANY])
            codes[:, column] = table[self.codes[:, column]]
        return Family(self.columns, codes)


def conjunction(expression: Expression, schema: Schema) -> Conjunction:
    """Read a conjunction and check its names and values against the schema."""
    if isinstance(expression, str):
        return parse(expression, schema)
    if isinstance(expression, Conjunction):
        terms = expression.terms
    elif isinstance(expression, Mapping):
        terms = tuple((str(name), str(value)) for name, value in expression.items())
    else:
        raise ExpressionError(
            f"{expression!r} is no conjunction.",
            hint="Write text such as 'smokes=yes & region=north', or a mapping of names to values.",
        )
    checked: dict[str, str] = {}
    for name, value in terms:
        schema[name].code(value)
        if checked.setdefault(name, value) != value:
            raise _contradiction(name, checked[name], value)
    return Conjunction(tuple(checked.items()))


def items_named(expression: Expression, schema: Schema) -> tuple[tuple[str, str], ...]:
    """Read one item, ``name=value``, or a name alone, which stands for each of its values.

    >>> items_named("smokes", Schema.of({"smokes": ["no", "yes"]}))
    (('smokes', 'no'), ('smokes', 'yes'))
    """
    if isinstance(expression, str):
        alone = TERM_NAME.fullmatch(expression)
        name = unquoted(alone.group(1)) if alone else expression
        if name in schema and not _is_item(expression, schema):
            return tuple((name, value) for value in schema[name].values)
    terms = conjunction(expression, schema).terms
    if len(terms) != 1:
        raise ExpressionError(f"{expression!r} is not one item.", hint="Write it as 'smokes=yes'.")
    return terms


def _is_item(text: str, schema: Schema) -> bool:
    """Whether it reads as one, although it is the name of an attribute, too."""
    try:
        return len(parse(text, schema).terms) == 1
    except ExpressionError:
        return False


def parse(text: str, schema: Schema) -> Conjunction:
    r"""Read ``name=value & name=value``.

    >>> schema = Schema.of({"smokes": ["no", "yes"], "tea & milk": ["1 < 2", "'x'"]})
    >>> parse("smokes = yes", schema)
    Conjunction('smokes=yes')
    >>> parse('"tea & milk" = "\'x\'" & smokes=no', schema).terms
    (('tea & milk', "'x'"), ('smokes', 'no'))
    >>> parse("smoke=yes", schema)
    Traceback (most recent call last):
    deniable.base.errors.ExpressionError: There is no attribute 'smoke' (at character 1 of
    'smoke=yes'). Did you mean 'smokes'?
    """
    try:
        return _parsed(text, schema)
    except ExpressionError as error:
        meant = str(Conjunction(meant_terms(text, schema)))
        if meant == EVERYONE or not _reads(meant, schema):
            raise
        misread = error.hint.startswith(("Did", "Known"))  # a part was taken for the whole
        hint = "Quote what needs it:" if misread else f"{error.hint} Here:"
        raise ExpressionError(error.message, hint=f"{hint} {shlex.quote(meant)}") from None


def _reads(text: str, schema: Schema) -> bool:
    try:
        _parsed(text, schema)
    except ExpressionError:
        return False
    return True


def _parsed(text: str, schema: Schema) -> Conjunction:
    """Read terms one by one."""
    if text.strip() == EVERYONE:
        return Conjunction()
    terms: dict[str, str] = {}
    position = 0
    while True:
        name, at, position = _word(TERM_NAME, text, position, "an attribute")
        try:
            attribute = schema[name]
        except SchemaError as unknown:
            raise _unknown(unknown, at, text) from None
        if text[position : position + 1] != "=":
            raise ExpressionError(
                f"Expected '=' after {name!r} at character {position + 1} of {text!r}.",
                hint="Write terms as name=value, joined by '&'.",
            )
        value, at, position = _word(TERM_VALUE, text, position + 1, f"a value of {name!r}")
        try:
            attribute.code(value)
        except SchemaError as unknown:
            joined = re.search(r"\s(and|AND|und|et|,|;|\|)\s", value)
            raise _unknown(unknown, at, text, "Join terms by '&'." if joined else "") from None
        if terms.setdefault(name, value) != value:
            raise _contradiction(name, terms[name], value)
        if position == len(text):
            return Conjunction(tuple(terms.items()))
        if text[position] != "&":
            raise ExpressionError(
                f"Did not understand {text[position:].split(maxsplit=1)[0]!r} "
                f"at character {position + 1} of {text!r}.",
                hint="Join terms by '&'.",
            )
        position += 1


def _word(pattern: re.Pattern[str], text: str, start: int, what: str) -> tuple[str, int, int]:
    """Take a bare or quoted word; return it, where it began and where it ended."""
    match = pattern.match(text, start)
    found = match.group(1) if match else ""
    if match is None or not found:
        quote = text[start:].lstrip()[:1]
        hint = "Write terms as name=value, joined by '&'."
        if quote in {"'", '"'}:
            hint = f"The quote {quote} is not closed; inside quotes write \\{quote} for the sign."
        raise ExpressionError(f"Expected {what} at character {start + 1} of {text!r}.", hint=hint)
    return unquoted(found), match.start(1), match.end()


def _unknown(error: SchemaError, at: int, text: str, hint: str = "") -> ExpressionError:
    """Say where the word stands that the schema does not know."""
    where = f"(at character {at + 1} of {text!r})"
    return ExpressionError(f"{error.message[:-1]} {where}.", hint=hint or error.hint)


def _contradiction(name: str, first: str, second: str) -> ExpressionError:
    return ExpressionError(
        f"{name!r} cannot be both {first!r} and {second!r} in one conjunction.",
        hint="Ask for each value on its own and add the estimates.",
    )


def strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """Place values of a mixed-radix number, the last column varying fastest.

    >>> strides([2, 3, 4])
    (12, 4, 1)
    """
    places = [1]
    for size in reversed(sizes[1:]):
        places.append(places[-1] * size)
    return tuple(reversed(places)) if sizes else ()


def digits(keys: Codes, sizes: Sequence[int]) -> Iterator[Codes]:
    """Codes of mixed-radix numbers, an array per column.

    >>> list(digits(np.array([23, 4]), [2, 3, 4]))
    [array([1, 0]), array([2, 1]), array([3, 0])]
    """
    return (keys // step % size for step, size in zip(strides(sizes), sizes, strict=True))


def distinct_patterns(codes: Codes, sizes: Sequence[int]) -> tuple[Codes, Codes]:
    """Give each row of codes once, in lexicographic order, and the number of each; ANY comes first.

    >>> distinct_patterns(np.array([[1, ANY], [0, 2], [1, ANY]]), [2, 3])
    (array([[ 0,  2],
           [ 1, -1]]), array([1, 0, 1]))
    """
    places = [size + 1 for size in sizes]
    if prod(places) > np.iinfo(np.int64).max:  # no machine integer numbers them
        rows, numbers = np.unique(codes, axis=0, return_inverse=True)
        return rows, numbers.ravel()
    keys = (codes - ANY) @ np.array(strides(places), dtype=np.int64)
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    return codes[first], numbers
