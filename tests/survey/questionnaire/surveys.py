"""A small survey whose lines can be replaced one by one."""

from pathlib import Path

SURVEY = """\
survey: health
languages: [en, de]
title: {en: Health, de: Gesundheit}
contact: research@university.example
consent: {en: Please., de: Bitte.}
invitations: no
devices: [page, own]
results: {after: 200, every: 50}
questions:
  age:
    text: {en: Age, de: Alter}
    options: {young: {en: Young, de: Jung}, old: {en: Old, de: Alt}}
  aids:
    several: yes
    text: {en: Aids, de: Hilfen}
    options: {sport: {en: Sport, de: Sport}, pills: {en: Pills, de: Pillen}}
  drugs:
    text: {en: Drugs, de: Drogen}
    options: {no: {en: "No", de: Nein}, yes: {en: "Yes", de: Ja}}
  debts:
    text: {en: Debts, de: Schulden}
    options: {no: {en: "No", de: Nein}, yes: {en: "Yes", de: Ja}}
    personal: {text: {en: Mother, de: Mutter}, source: Births by month.}
  moon:
    text: {en: Moon, de: Mond}
    options: {no: {en: "No", de: Nein}, yes: {en: "Yes", de: Ja}}
    known: {shares: {no: 1, yes: 0}, source: Nobody has been there.}
groups:
  - {attributes: [drugs], channel: related, theta: 4/5}
  - {attributes: [debts], channel: unrelated, theta: 0.7, personal: {debts: {no: 3/4, yes: 1/4}}}
  - {attributes: [moon], channel: related, theta: 4/5}
"""


def with_line(number: int, *lines: str) -> str:
    """Replace one line of it, or remove it."""
    given = SURVEY.splitlines()
    given[number - 1 : number] = lines
    return "\n".join(given) + "\n"


def written(folder: Path, text: str) -> Path:
    """Write a survey file."""
    path = folder / "survey.yaml"
    path.write_text(text, encoding="utf-8")
    return path
