"""`deniable demo`: a simulated survey, disguised, estimated and compared with the truth."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from deniable.base.wording import percent
from deniable.cli.options import AsJson
from deniable.cli.show.output import print_items, print_json, print_table
from deniable.papers import simulated_survey as experiment


def demo(
    out: Annotated[Path, typer.Option(help="Folder for what it makes.")] = Path("demo"),
    people: Annotated[int, typer.Option(min=100, help="Simulated respondents.")] = 5000,
    json: AsJson = False,
) -> None:
    """Simulate a survey: disguise it, estimate through the disguise, compare with the truth."""
    lines = experiment.run(people, out)
    if json:
        print_json([asdict(line) for line in lines])
        return
    typer.echo(
        f"{people:,} simulated people answer four sensitive questions. What happens to them:"
    )
    print_items(experiment.design().story().splitlines())
    print_table(
        "What the disguised answers say, beside a truth that nobody ever collected",
        ["Question", "#Reported", "#Estimate", "#95 % interval", "#Truth", "Covered"],
        [
            [
                line.expression,
                percent(line.reported / people),
                percent(line.estimate / people),
                f"{percent(line.low / people)} to {percent(line.high / people)}",
                percent(line.truth / people),
                "yes" if line.low <= line.truth <= line.high else "no",
            ]
            for line in lines
        ],
    )
    covered = sum(line.low <= line.truth <= line.high for line in lines)
    typer.echo(
        f"{covered} of {len(lines)} intervals hold the truth; 95 in 100 do, in the long run.\n"
        f"Wrote {out}/: raw.parquet, design.yaml, reports.parquet, estimates.svg and .png. Next:\n"
        f"  deniable estimate {out}/reports.parquet --design {out}/design.yaml "
        f"'{lines[-1].expression}' --of population\n"
        f"  deniable table {out}/reports.parquet --design {out}/design.yaml drugs cheated\n"
        f"  deniable mine tree {out}/reports.parquet --design {out}/design.yaml --target drugs\n"
        f"  deniable privacy {out}/design.yaml --population {out}/raw.parquet "
        f"--html {out}/privacy.html\n"
        f"The raw answers are invented ones; real ones would never leave the source."
    )
