"""Put a report of `deniable reproduce` into the documents: pictures, and the table of claims.

    python tools/papers_page.py REPORT

Pictures are those that a page shows as images/reproduced-NAME.svg. The table goes between two marks
in docs/reproduce.md. `make report` runs this on the quick report.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from deniable.base.files import write_whole

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reproduce.md"
BEGIN, END = "<!-- claims: written by make report -->", "<!-- end of claims -->"
SHOWN = re.compile(r"images/reproduced-([\w-]+)\.svg")


def main(report: Path) -> None:
    """Copy and write."""
    figures = report / "figures"
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for name in sorted({found for page in pages for found in SHOWN.findall(page.read_text())}):
        picture = (figures / f"{name}.svg").read_bytes()
        write_whole(ROOT / "docs" / "images" / f"reproduced-{name}.svg", picture)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    document = json.loads((figures / "claims.json").read_text(encoding="utf-8"))
    table = "\n".join(claims(document))
    write_whole(PAGE, f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


def claims(document: dict[str, object]) -> Iterator[str]:
    """Write a report's claims as a table in Markdown."""
    yield (
        f"Made by version {document['version']} with seed {document['seed']}: {document['effort']}."
    )
    yield ""
    yield "| claim | measured | counts as holding | outcome |"
    yield "| --- | --- | --- | --- |"
    found = document["claims"]
    assert isinstance(found, list)
    for each in found:
        outcome = f"**{each['outcome']}**" if each["outcome"] != "holds" else "holds"
        why = f": {each['why']}" if each["why"] else ""
        says = f"{each['claim'].partition('-')[0]}: {each['says']}"
        cells = (says, each["measured"], each["tolerance"], outcome + why)
        yield f"| {' | '.join(cell.replace('|', '∣') for cell in cells)} |"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
