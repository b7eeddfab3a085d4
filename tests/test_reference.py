"""Every command, option, key of a file and environment variable is on a page of the reference."""

import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from citations import ROOT, Repository
from deniable.base import errors
from deniable.base.errors import DeniableError
from deniable.channel import kinds
from deniable.cli.commands import COMMANDS, load_command
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.design import Design
from deniable.survey.questionnaire import EXAMPLE, check
from documented import (
    UNKNOWN,
    known_keys,
    options_of,
    undocumented,
    undocumented_options,
    unknown_options,
    variables,
)

REFERENCE = ROOT / "docs" / "reference"

Read = Callable[[Any], str]
"""Reads a document, and gives the hint of what it refuses."""


@pytest.fixture(autouse=True)
def _all_known_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors list a few of the known names; here they list all."""
    monkeypatch.setattr(errors.listed, "__defaults__", (1000,))


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def within(document: Any, *place: str | int) -> Any:
    """A copy of a document with an unknown key at one place."""
    if not place:
        return {**document, UNKNOWN: "1"}
    first, *rest = place
    inner = within(document[first], *rest)
    if isinstance(document, list):
        return [inner if number == first else each for number, each in enumerate(document)]
    return {**document, first: inner}


def examples(name: str) -> list[Any]:
    """The YAML examples of a page that are whole documents."""
    blocks = re.findall(r"```yaml\n(.*?)```", page(name), re.DOTALL)
    return [yaml.load(block, Loader=yaml.BaseLoader) for block in blocks]  # noqa: S506 (text only)


# --- Commands ----------------------------------------------------------------------------------


@pytest.fixture
def commands() -> dict[str, list[str]]:
    """Every command, with its options."""
    whole = (options_of(load_command(name), f"deniable {name}") for name in COMMANDS)
    return dict(chain.from_iterable(whole))


def test_every_command_and_option_is_documented(commands: dict[str, list[str]]) -> None:
    assert len(commands) > 30
    assert not undocumented_options(commands, page("commands.md"))


def test_a_planted_command_or_option_is_missed() -> None:
    commands = {"deniable one": ["--out", "--json"], "deniable two": []}
    whole = "# Commands\n\n## deniable one\n--out FILE --json\n\n## deniable two\n"
    assert not undocumented_options(commands, whole)
    assert undocumented_options(commands, whole.replace("--json", "--jsonl")) == [
        "deniable one --json"
    ]
    assert undocumented_options(commands, whole.replace("deniable two", "deniable three")) == [
        "deniable two"
    ]


def test_pages_show_commands_and_options_that_are_there(commands: dict[str, list[str]]) -> None:
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")]
    pages += [ROOT / name for name in ("examples/design.yaml", "Makefile")]
    found = {
        path.name: wrong
        for path in pages
        if (wrong := unknown_options(commands, path.read_text(encoding="utf-8")))
    }
    assert not found


def test_a_planted_option_is_found_on_a_page() -> None:
    commands = {"deniable mine tree": ["--out"], "deniable plan": ["--epsilon"]}
    shown = "```sh\ndeniable mine tree a.csv --out b --deepest 3   # a note\n```\n"
    shown += "`deniable plan a=1 --epsilon 2`, `--out b`, `--in` and `deniable mine shrub --out b`"
    assert unknown_options(commands, shown) == [
        "deniable mine tree --deepest",
        "deniable mine shrub",
        "--in",
    ]


# --- Keys of files -----------------------------------------------------------------------------


def refused_design(document: Any) -> str:
    with pytest.raises(DeniableError) as refusal:
        Design.of(document)
    return refusal.value.hint


def refused_agreement(document: Any) -> str:
    with pytest.raises(DeniableError) as refusal:
        Agreement.of(document)
    return refusal.value.hint


def refused_party(document: Any, folder: Path) -> str:
    (folder / "party.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
    with pytest.raises(DeniableError) as refusal:
        PartyFile.load(folder / "party.yaml")
    return refusal.value.hint


def refused_survey(document: Any, folder: Path) -> str:
    (folder / "survey.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
    (hint,) = (each.hint for each in check(folder / "survey.yaml") if UNKNOWN in each.message)
    return hint


def test_every_key_of_a_design_is_documented() -> None:
    keys = set(known_keys(refused_design({UNKNOWN: "1"}))) | {"channel"}
    for kind in kinds():
        group = {"attributes": ["a"], "channel": kind, UNKNOWN: "1"}
        document = {"attributes": {"a": ["no", "yes"]}, "groups": [group]}
        hint = refused_design(document)
        keys |= set(known_keys(hint)) if hint else set()  # truthful has no options
    assert {"attributes", "groups", "theta", "personal", "sensitive"} <= keys
    in_code = "".join(f"`{line.split(':')[0].strip(' -')}`" for line in code(page("design.md")))
    assert not undocumented(keys, page("design.md") + in_code)


def test_every_key_of_a_survey_is_documented(tmp_path: Path) -> None:
    whole = yaml.load(EXAMPLE, Loader=yaml.BaseLoader)  # noqa: S506 (text only)
    places: list[tuple[str, ...]] = [
        (),
        ("results",),
        ("questions", "age"),
        ("questions", "pills", "personal"),
        ("questions", "moon", "known"),
    ]
    keys = [known_keys(refused_survey(within(whole, *place), tmp_path)) for place in places]
    words = {key for found in keys for key in found}
    assert {"survey", "quotas", "after", "several", "source", "shares"} <= words
    text = page("survey-file.md")
    inline = "".join(f"`{key}`" for key in re.findall(r"[{,] ?([a-z]+):", text))  # {after: 100, …}
    assert not undocumented(words, text + inline)


def test_every_key_of_a_party_is_documented(tmp_path: Path) -> None:
    whole = examples("collaboration-file.md")[0]
    places: list[tuple[str | int, ...]] = [(), ("peers", "north"), ("policy",)]
    keys = [known_keys(refused_party(within(whole, *place), tmp_path)) for place in places]
    words = {key for found in keys for key in found}
    assert {"party", "send undisguised", "fingerprint", "minimum cell", "noise"} <= words
    assert not undocumented(words, page("collaboration-file.md"))


def test_every_key_of_an_agreement_is_documented() -> None:
    whole = examples("collaboration-file.md")[1]
    documents = [
        within(whole),
        within(whole, "parties", "south"),
        within(whole, "policy"),
        within(whole, "mine"),
        *({**whole, "mine": {kind: {UNKNOWN: "1"}}} for kind in ("tree", "rules", "bayes")),
    ]
    words = {key for each in documents for key in known_keys(refused_agreement(each))}
    assert {"own columns", "undisguised", "window", "alpha", "tree"} <= words
    assert not undocumented(words, page("collaboration-file.md"))


def test_a_planted_key_is_missed() -> None:
    text = "| `theta` | its chance |\n| `minimum cell` | the least |\n`noise: {epsilon: 1/2}`"
    assert not undocumented(["theta", "minimum cell", "noise"], text)
    assert undocumented(["theta", "thet", "cell", "epsilon"], text) == ["thet", "cell", "epsilon"]


def code(text: str) -> list[str]:
    """Lines of the examples of a page."""
    return [line for block in text.split("```")[1::2] for line in block.splitlines() if ":" in line]


# --- Environment variables ---------------------------------------------------------------------


def test_every_environment_variable_is_documented_and_read() -> None:
    names = [
        name
        for name in Repository.of(ROOT).files
        if name.startswith(("src/", "tests/", "benchmarks/", ".ci/", "Makefile"))
        and name.endswith((".py", "run", "Makefile"))
        and name != "tests/test_reference.py"
    ]
    read = variables((ROOT / name).read_text(encoding="utf-8") for name in names)
    assert read
    assert not undocumented(read, page("settings.md"))
    assert variables([page("settings.md")]) == read


def test_a_planted_variable_is_missed() -> None:
    read = variables(['os.environ["DENIABLE_PLANTED"]', "${DENIABLE_DATA:-there}"])
    assert read == {"DENIABLE_PLANTED", "DENIABLE_DATA"}
    assert undocumented(read, page("settings.md")) == ["DENIABLE_PLANTED"]
