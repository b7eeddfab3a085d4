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


def options_of(command: Any, name: str) -> Iterator[tuple[str, list[str]]]:
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


def unknown_options(commands: Mapping[str, Iterable[str]], page: str) -> list[str]:
    """Commands and options that a page shows, in examples or in backticks, and that are not."""
    known = {name: {*options, "--help"} for name, options in commands.items()}
    groups = {name.rsplit(" ", 1)[0] for name in known}
    joined = page.replace("\\\n", " ")
    shown = re.findall(r"^\t?(?:\$\(BIN\)/)?(deniable [a-z][^#\n]*)", joined, re.MULTILINE)
    shown += re.findall(r"`(deniable [a-z][^`]*)`", joined)
    wrong = []
    for line in shown:
        words = line.split()
        name = next((n for n in (" ".join(words[:3]), " ".join(words[:2])) if n in known), None)
        if name is None:
            # A group may be meant as a whole, as in `deniable mine …`, or with new|check|serve.
            third = next(iter(words[2:]), "")
            whole = " ".join(words[:2]) in groups and not re.fullmatch(r"[a-z]+", third)
            wrong += [] if whole else [" ".join(words[:3])]
            continue
        given = re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)
        wrong += [f"{name} {option}" for option in given if option not in known[name]]
    anywhere = set().union(*known.values())
    return wrong + [o for o in re.findall(r"`(--[a-z][a-z-]*)", page) if o not in anywhere]


def known_keys(hint: str) -> list[str]:
    """The keys that an error about an unknown one lists."""
    found = re.search(r"Known: (.*)\.", hint)
    assert found, hint
    return re.findall(r"'([^']+)'", found.group(1))


def variables(texts: Iterable[str]) -> set[str]:
    """Environment variables of the project that texts name."""
    return {name for text in texts for name in re.findall(r"\bDENIABLE_[A-Z_]*[A-Z]\b", text)}
