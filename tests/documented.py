"""What users can write, as the program itself knows it; and what of it a page leaves out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

UNKNOWN = "§§§"
"""A word that is close to no key, so that an error lists all that are known."""


def undocumented(words: Iterable[str], page: str) -> list[str]:
    """Words that a page does not have in backticks, alone or at the beginning of what is."""
    return [word for word in words if not re.search(rf"`{re.escape(word)}(?![\w-])", page)]


def undocumented_options(commands: Mapping[str, Iterable[str]], page: str) -> list[str]:
    """Commands without a section of their own, and options that their section does not have."""
    sections = {
        part.partition("\n")[0].strip(): part for part in page.split("\n## ") if part.strip()
    }
    missing = []
    for command, options in commands.items():
        if command not in sections:
            missing.append(command)
            continue
        text = sections[command]
        missing += [
            f"{command} {option}"
            for option in options
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text)
        ]
    return missing


def options_of(command: Any, name: str = "deniable") -> Iterator[tuple[str, list[str]]]:
    """Every command below one, by its whole name, with the options and arguments that it takes."""
    inner = getattr(command, "commands", None)
    if inner:
        for word, each in inner.items():
            yield from options_of(each, f"{name} {word}")
        return
    words = []
    for parameter in command.params:
        if parameter.param_type_name == "option":
            words += [*parameter.opts, *parameter.secondary_opts]
        else:
            words.append(str(parameter.metavar or parameter.name).split("|")[0])
    yield name, words


def known_keys(hint: str) -> list[str]:
    """The keys that an error about an unknown one lists."""
    found = re.search(r"Known: (.*)\.", hint)
    assert found, hint
    return re.findall(r"'([^']+)'", found.group(1))


def variables(texts: Iterable[str]) -> set[str]:
    """Environment variables of the project that texts name."""
    return {name for text in texts for name in re.findall(r"\bDENIABLE_[A-Z_]*[A-Z]\b", text)}
