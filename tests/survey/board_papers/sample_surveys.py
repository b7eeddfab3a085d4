"""Surveys that papers are written of, and people who have answered them."""

import secrets
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from deniable.engine.memory.records import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from deniable.survey.protocol import REPORT_LETTERS, Submission
from deniable.survey.questionnaire import Survey, load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store

NASTY = 'Do you *write* | in `code`, <b>bold</b>, ⟦gaps⟧ & "quotes"\\ or $_x_?'
"""What no question looks like, but what a paper must show as it stands."""

DEVICES = f"""
survey: devices
title: {{en: "1. Devices & people", de: "- Geräte"}}
languages: [en, de]
consent: {{en: "We ask.\\n\\nKindly.", de: "Wir fragen.\\n\\nFreundlich."}}
contact: us@example.org
invitations: yes
direct: 1/10
results: {{after: 100, every: 20}}
questions:
  age:
    text: {{en: "How old?", de: "Wie alt?"}}
    options: {{young: {{en: Young, de: Jung}}, old: {{en: Old, de: Alt}}}}
  copied:
    text: {{en: '{NASTY}', de: '{NASTY}'}}
    options: &no_yes {{"no": {{en: "No", de: Nein}}, "yes": {{en: "Yes", de: Ja}}}}
  pills:
    text: {{en: "Pills?", de: "Pillen?"}}
    options: *no_yes
    personal:
      text: {{en: "Born in spring?", de: "Im Frühling geboren?"}}
      source: A year of births.
  sport:
    text: {{en: "Sport?", de: "Sport?"}}
    options:
      never: {{en: Never, de: Nie}}
      "=often": {{en: Often, de: Oft}}
      daily: {{en: Daily, de: Täglich}}
  theft:
    text: {{en: "Theft?", de: "Diebstahl?"}}
    options: *no_yes
  fraud:
    text: {{en: "Fraud?", de: "Betrug?"}}
    options: *no_yes
  aids:
    several: yes
    text: {{en: "Which aids?", de: "Welche Hilfen?"}}
    options: {{a: {{en: Aid A, de: Hilfe A}}, b: {{en: Aid B, de: Hilfe B}}}}
  moon:
    text: {{en: "The moon?", de: "Der Mond?"}}
    options: *no_yes
    known: {{shares: {{"no": 1, "yes": 0}}, source: Nobody has.}}
groups:
  - {{attributes: [copied], channel: related, theta: 4/5}}
  - attributes: [pills]
    channel: unrelated
    theta: 7/10
    personal: {{pills: {{"no": 3/4, "yes": 1/4}}}}
  - {{attributes: [sport], channel: keep-or-uniform, theta: 1/2}}
  - {{attributes: [theft], channel: forced, forced: {{"no": 1/12, "yes": 1/6}}}}
  - {{attributes: [fraud], channel: mangat, theta: 2/3}}
  - {{attributes: [aids], channel: related, theta: 5/6}}
  - {{attributes: [moon], channel: related, theta: 4/5}}
"""
"""Every kind of device that says something else, in two languages."""


def survey_in(folder: Path, words: str = DEVICES) -> Path:
    path = folder / "survey.yaml"
    path.write_text(words, encoding="utf-8")
    return path


def answered(
    path: Path, disguised: int, direct: int, invited: int, began: int, **true: float
) -> None:
    """Let invented people answer: for each question, the last option is true of one in ten.

    Of the control item it is true of nobody. Other shares may be given, by the column's name.
    """
    with closing(SurveyDatabase(path.with_suffix(".db"))) as database:
        store = Store(database, load(path))
        codes = [str(number) for number in range(invited)]
        if codes:
            store.invite(codes)
        for code in codes[:began]:
            store.use_invitation(code, code.encode())
        store.keep(
            [
                *_sent(store.survey, disguised, "disguised", true),
                *_sent(store.survey, direct, "direct", true),
            ]
        )


def _sent(survey: Survey, people: int, arm: str, true: Mapping[str, float]) -> list[Submission]:
    rng, schema = np.random.default_rng(people), survey.design.schema
    shares = [{"moon": 0.0, **true}.get(attribute.name, 0.1) for attribute in schema]
    last = [(rng.random(people) < share) for share in shares]
    codes = [yes * (a.size - 1) for yes, a in zip(last, schema, strict=True)]
    truth = Records.from_codes(codes, schema)
    if arm == "disguised":
        truth = disguise_records(truth, None, survey.design, SeededBits(people))
    rows = np.stack(truth.columns, axis=1).tolist()
    return [
        Submission(
            "0" * 64, secrets.token_hex(16), f"{arm}{number}", arm, "page", 2,
            "".join(REPORT_LETTERS[code] for code in row),
        )
        for number, row in enumerate(rows)
    ]  # fmt: skip
