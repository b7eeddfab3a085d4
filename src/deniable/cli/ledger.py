"""`deniable ledger`: what was released in a collaboration, and that nobody changed it since."""

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import CollabError
from deniable.base.wording import count, plural
from deniable.cli.options import AsJson, command_group
from deniable.cli.show.output import print_json, print_paragraph, print_table

if TYPE_CHECKING:
    from deniable.collab.ledger import Comparison, LedgerRow

app = command_group("What was released in a collaboration, row by row.")

File = Annotated[Path, typer.Argument(help="A ledger, of state/….", metavar="LEDGER")]


_HASH = re.compile(r"\b([0-9a-f]{16})[0-9a-f]{48}\b")
"""A whole hash, of which a table shows the beginning; ``--json`` gives all of it."""


@app.command()
def show(ledger: File, json: AsJson = False) -> None:
    """Show every value that was released or refused, in order, if the chain is whole."""
    from deniable.collab.ledger import read

    rows = read(ledger)
    if json:
        print_json([row.document() for row in rows])
        return
    print_table(
        str(ledger),
        ["#No.", "#?Time (UTC)", "Kind", "About", "#Value", "Why not", "#?By"],
        [
            [
                str(row.number),
                row.time.replace("T", " ").rstrip("Z"),
                row.kind,
                _HASH.sub(r"\1…", row.about),
                "" if row.value is None else count(row.value),
                row.why or "",
                row.by,
            ]
            for row in rows
        ],
    )
    kinds = Counter(row.kind for row in rows)
    print_paragraph(
        f"{plural(len(rows), 'row')}, {plural(kinds['count'], 'count')} released, "
        f"{kinds['refused']:,} refused. The chain is whole."
    )


@app.command()
def verify(
    ledger: File,
    other: Annotated[
        Path | None, typer.Argument(help="The other side's ledger.", metavar="OTHER")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check that no row was changed, and with two ledgers, that both sides recorded the same.

    A chain shows every change but one: that its last rows were cut off. Two ledgers show that too.
    """
    from deniable.collab.ledger import compare, read

    rows = read(ledger)
    if other is None:
        head = rows[-1].hash if rows else None
        if json:
            print_json({"whole": True, "rows": len(rows), "head": head})
        else:
            print_paragraph(f"The chain of {ledger} is whole: {plural(len(rows), 'row')}.")
        return
    found = compare(ledger, other)
    if json:
        print_json(_document(found))
    if not found.equal:
        raise CollabError(
            _first_difference(found, ledger, other),
            hint="Ask the other side for its ledger; the rows before are the same.",
        )
    if not json:
        print_paragraph(f"Both sides recorded the same: {plural(found.common, 'row')}.")


def _first_difference(found: "Comparison", first: Path, second: Path) -> str:
    if found.differing:
        one, two = found.differing[0]
        return (
            f"Row {one.number} is not the same: {_told(one)} in {first}, {_told(two)} in {second}."
        )
    longer, more = (first, found.only_first) if found.only_first else (second, found.only_second)
    return (
        f"{longer} has {plural(len(more), 'row')} more, from row {more[0].number} on "
        f"({_told(more[0])})."
    )


def _told(row: "LedgerRow") -> str:
    value = row.why or ("" if row.value is None else count(row.value))
    return f"{row.kind} {row.about}: {value}".removesuffix(": ")


def _document(found: "Comparison") -> dict[str, object]:
    return {
        "equal": found.equal,
        "common": found.common,
        "differing": [[one.document(), two.document()] for one, two in found.differing],
        "only_first": [row.document() for row in found.only_first],
        "only_second": [row.document() for row in found.only_second],
    }
