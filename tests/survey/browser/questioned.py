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

TRUTH: dict[str, dict[str, str]] = {
    "related": {"pills": "yes", "hard_money": "no", "hard_work": "yes"},
    "unrelated": {"pills": "yes", "age": "old"},
    "two groups": {"age": "young", "pills": "no", "copied": "yes"},
}


def survey_file(folder: Path, name: str, **changes: Any) -> Path:
    """Write a survey, with some of its parts changed."""
    path = folder / f"{name.replace(' ', '-')}.yaml"
    document = {**deepcopy(SURVEYS[name]), **changes}
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), "utf-8")
    return path
