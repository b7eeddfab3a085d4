"""How mined models look in a terminal."""

from deniable.cli.show.output import note, print_paragraph, print_table, say
from deniable.mine.model import Model
from deniable.mine.models.find_miner import find_miner


def show_model(model: Model) -> None:
    """Print what the model's miner has to show of it."""
    for part in find_miner(model.kind).show(model):
        if isinstance(part, str) and "\n" in part:
            say(part)
        elif isinstance(part, str):
            print_paragraph(part)
        else:
            print_table(part.title, part.headings, part.rows)
            if part.note:
                note(f"note: {part.note}")
