"""Surveys for the browser tests: one, two or no groups, in two languages."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

Document = dict[str, Any]

NO_YES = {"no": {"en": "No", "de": "Nein"}, "yes": {"en": "Yes", "de": "Ja"}}


def both(en: str, de: str) -> dict[str, str]:
    return {"en": en, "de": de}


PILLS = {"text": both("Have you taken pills?", "Haben Sie Pillen genommen?"), "options": NO_YES}
COPIED = {"text": both("Have you copied?", "Haben Sie abgeschrieben?"), "options": NO_YES}
HARD = {
    "text": both("What makes it hard?", "Was macht es schwer?"),
    "several": "yes",
    "options": {"money": both("Money", "Geld"), "work": both("Work", "Arbeit")},
}
AGE = {
    "text": both("How old are you?", "Wie alt sind Sie?"),
    "help": both("In years.", "In Jahren."),
    "options": {"young": both("Under 30", "Unter 30"), "old": both("30 or more", "30 oder mehr")},
}
PERSONAL = {
    "text": both("Were you born in spring?", "Sind Sie im Frühling geboren?"),
    "source": "Births by month.",
}

BASE: Document = {
    "survey": "small-things",
    "title": both("Small things", "Kleinigkeiten"),
    "languages": ["en", "de"],
    "consent": both("We ask.\n\nYou answer.", "Wir fragen.\n\nSie antworten."),
    "contact": "research@university.example",
    "invitations": "no",
    "devices": ["page", "own"],
    "results": {"after": "100", "every": "50"},
}

SURVEYS: dict[str, Document] = {
    "related": {
        **BASE,
        "questions": {"pills": PILLS, "hard": HARD},
        "groups": [{"attributes": ["pills", "hard"], "channel": "related", "theta": "7/10"}],
    },
    "unrelated": {
        **BASE,
        "questions": {"pills": {**PILLS, "personal": PERSONAL}, "age": AGE},
        "groups": [
            {
                "attributes": ["pills"],
                "channel": "unrelated",
                "theta": "2/3",
                "personal": {"pills": {"no": "3/4", "yes": "1/4"}},
            }
        ],
    },
    "two groups": {
        **BASE,
        "invitations": "yes",
        "questions": {"age": AGE, "pills": {**PILLS, "personal": PERSONAL}, "copied": COPIED},
        "groups": [
            {
                "attributes": ["pills"],
                "channel": "unrelated",
                "theta": "1/2",
                "personal": {"pills": {"no": "3/4", "yes": "1/4"}},
            },
            {"attributes": ["copied"], "channel": "related", "theta": "5/6"},
        ],
    },
}

CHANNELS: dict[str, Document] = {
    "forced": {"forced": {"no": "1/6", "yes": "1/6"}},
    "mangat": {"theta": "7/10", "sensitive": "yes"},
    "kuk": {"red": {"no": "1/5", "yes": "7/10"}, "sensitive": "no"},
    "crosswise": {"theta": "1/4", "sensitive": "yes"},
    "triangular": {"theta": "3/10", "sensitive": "yes"},
    "keep-or-uniform": {"theta": "1/3"},
    "matrix": {"matrix": {"no": {"no": "0.85", "yes": "0.15"}, "yes": {"no": "1/7", "yes": "6/7"}}},
    "unrelated": {"theta": "1/2", "personal": {"unrelated": {"no": "3/4", "yes": "1/4"}}},
    "related": {"theta": "7/10"},
}
"""All that a survey may use, as a group of the one question named after it."""


def asking(*channels: str) -> Document:
    """A question for each channel."""
    names = {channel: channel.replace("-", "_") for channel in channels}
    return {
        "questions": {names[c]: {"text": both(c, c), "options": NO_YES} for c in channels},
        "groups": [{"attributes": [names[c]], "channel": c, **CHANNELS[c]} for c in channels],
        "devices": ["page"],
    }


TRUTH: dict[str, dict[str, str]] = {
    "related": {"pills": "yes", "hard_money": "no", "hard_work": "yes"},
    "unrelated": {"pills": "yes", "age": "old"},
    "two groups": {"age": "young", "pills": "no", "copied": "yes"},
}

TURNED: dict[str, list[list[int]]] = {
    "related": [[1, 1, 1], []],
    "unrelated": [[0, 0], []],
    "two groups": [[0, 1], [1], []],
}
"""Coins of the page that would change each of the disguised answers."""


def survey_file(folder: Path, name: str, **changes: Any) -> Path:
    """Write a survey, with some of its parts changed."""
    path = folder / f"{name.replace(' ', '-')}.yaml"
    changed = {**deepcopy(SURVEYS[name]), **changes}
    document = {part: value for part, value in changed.items() if value is not None}
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), "utf-8")
    return path
