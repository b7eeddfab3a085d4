"""Words of the page that a survey brings: in its own file, or in a file per language beside it.

They go before those that come along. In a language that does not come along, none may be missing:
a page that is half English would not be understood, and what is not understood is not agreed to.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deniable.base.documents import parse, read_text
from deniable.base.entries import Entry
from deniable.base.errors import listed, nearest, shortened
from deniable.base.findings import Finding
from deniable.base.wording import joined
from deniable.survey.words.page_words import (
    DECIDED_BY,
    FORMS,
    USUAL_NUMBER,
    Sentence,
    Words,
    english,
    is_number,
    is_sentence,
    needs_reader,
    odd_braces,
    placeholders,
    sentences,
    shipped,
    unfit_for_pages,
)
from deniable.survey.words.plural_forms import plural_forms

WORDS_HINT = "Write words: {fr: words-fr.yaml}, or the words themselves."

COUNTLESS = ("zero", "one", "two")
"""Plural forms that may say how many in words, and leave the number out."""


def read_own_words(node: Entry, languages: Sequence[str], folder: Path) -> dict[str, Words]:
    """Read the entry `words`: what is given for each language, in the order of the languages."""
    found: dict[str, Words] = {}
    for code, child in node.entries(WORDS_HINT).items():
        if languages and code not in languages:
            child.mistake(
                f"{shortened(code)} is no language of the survey.", nearest(code, languages)
            )
            continue
        root = words_file(child, folder / child.text()) if child.is_text() else child
        if root is not None and (own := read_words_of(root, code)):
            found[code] = own
    return {code: found[code] for code in languages if code in found}


def words_file(node: Entry, path: Path) -> Entry | None:
    """Open a file of words; what is wrong with it as a file is noted, in it or at the node."""
    with node.judged():
        document = parse(read_text(path), unfit_for_pages)
        for problem in document.problems:
            found = Finding(problem.line, "mistake", problem.message, problem.hint, str(path))
            node.findings.add(found)
        if document.problems:
            return None
        value = {} if document.value is None else document.value
        return Entry(
            value, node.findings, line=document.first_line, lines=document.lines, file=str(path)
        )
    return None


def read_words_of(node: Entry, language: str, model: Words | None = None) -> Words:
    """Read one language's words; what is left empty is left out.

    All are needed where none come along, and of a file that shall come along, by its `model`.
    """
    whole = model is not None or shipped(language) is None
    return _Reading(language, whole).section(node, model or english())


def tell_of_languages(
    node: Entry, languages: Sequence[str], own: Mapping[str, Words], tried: Collection[str]
) -> None:
    """Refuse a language that the page has no words in; say of others what they still need.

    Where words were `tried` to be given, what they lack is said already.
    """
    items = node.items("")
    for code, item in zip(languages, items, strict=True):
        if shipped(code) is None and code not in tried:
            file = f"words-{code}.yaml"
            item.mistake(
                f"The page's own words, on its buttons and so on, are not there in {code!r}.",
                f"Let `deniable survey translate SURVEY.yaml --language {code}` write a file, fill "
                f"it in, and write words: {{{code}: {file}}}.",
            )
        elif needs_reader(code) and lacking(own.get(code, {})):
            item.warning(
                f"The page's own words in {code!r} were not read yet by anybody whose language "
                "it is.",
                f"Let somebody read them: `deniable survey translate SURVEY.yaml --language {code}`"
                " writes them to a file of yours.",
            )


def lacking(words: Words) -> list[str]:
    """Name the sentences of the page that are not among the words."""
    given = dict(sentences(words))
    return [place for place, _ in sentences(english()) if place not in given]


class _Reading:
    """Holds words to the English ones."""

    def __init__(self, language: str, whole: bool) -> None:
        self._language = language
        self._whole = whole
        """Whether all of them are needed."""

    def section(self, node: Entry, model: Words) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if not isinstance(node.value, Mapping):
            if not self._is_blank(node):
                node.mistake("This must be a mapping.", f"Its keys are {listed(model)}.")
                return found
            node = replace(node, value={})
        inner = node.entries("", model) if node.value else {}
        missing = [key for key in model if key not in inner]
        if missing and self._whole:
            node.mistake(
                f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing.",
                f"Let `deniable survey translate` add what is missing, in {self._language!r}.",
            )
        for key, part in model.items():  # in this order, whatever the file's: one fingerprint
            if key in inner:
                read = self._sentence if is_sentence(part) else self.section
                if words := read(inner[key], part):
                    found[key] = words
        return found

    def _is_blank(self, node: Entry) -> bool:
        return node.is_text() and not node.value.strip()

    def _sentence(self, node: Entry, model: Sentence) -> Sentence | None:
        said = next(iter([model] if isinstance(model, str) else reversed(list(model.values()))))
        hint = f"In English: {said!r}."
        if isinstance(node.value, Mapping) and node.value:
            return self._plural(node, model, hint)
        if not node.is_text():
            node.mistake("This must be text, or a text for each plural form.", hint)
            return None
        if self._is_blank(node):
            if self._whole:
                node.mistake("There is no text here.", hint)
            return None
        self._check_placeholders(node, placeholders(model), ())
        return str(node.value).strip()

    def _plural(self, node: Entry, model: Sentence, hint: str) -> Sentence | None:
        names = placeholders(model)
        numbers = [name for name in names if is_number(name)]
        if not numbers:
            node.mistake("Nothing is counted here.", f"Write one text. {hint}")
            return None
        found = self._forms(node, names, numbers, ())
        if any(part for form, part in found.items() if form != DECIDED_BY):
            return found
        if self._whole:
            node.mistake("There is no text here.", hint)
        return None

    def _forms(
        self, node: Entry, names: Sequence[str], numbers: Sequence[str], unsaid: Sequence[str]
    ) -> dict[str, Any]:
        """Read a text for each plural form; numbers that a form may leave out are `unsaid`."""
        forms = plural_forms(self._language)
        inner = node.entries("", (DECIDED_BY, *FORMS))
        by = inner.pop(DECIDED_BY).text() if DECIDED_BY in inner else USUAL_NUMBER
        if by not in numbers:
            node.mistake(
                f"{shortened(by)} is no number of this sentence.",
                f"Write by: {' or by: '.join(numbers)}.",
            )
        found: dict[str, Any] = {} if by == USUAL_NUMBER else {DECIDED_BY: by}
        blank = [form for form, child in inner.items() if self._is_blank(child)]
        missing = [form for form in forms if form not in inner or form in blank]
        if missing and len(blank) < len(inner):
            node.mistake(
                f"The plural {'form' if len(missing) == 1 else 'forms'} {listed(missing)} "
                f"{'is' if len(missing) == 1 else 'are'} missing.",
                f"Words in {self._language!r} need {listed(forms)}.",
            )
        for form in (each for each in FORMS if each in inner):
            child = inner[form]
            may_miss = (*unsaid, by) if form in COUNTLESS else unsaid
            if isinstance(child.value, Mapping):
                found[form] = self._forms(child, names, numbers, may_miss)
            elif form not in blank and (text := child.text()):
                self._check_placeholders(child, names, may_miss)
                found[form] = text
        return found

    def _check_placeholders(
        self, node: Entry, names: Sequence[str], may_miss: Sequence[str]
    ) -> None:
        text = str(node.value)
        given = placeholders(text)
        braces = [f"{{{name}}}" for name in names]
        known = f"Known here: {', '.join(braces)}." if names else "Nothing is filled in here."
        for name in given:
            if name not in names:
                node.mistake(f"Nothing stands for {{{name}}} here.", known)
        if odd_braces(text):
            node.mistake("A brace stands alone.", known)
        missing = [n for n in names if n not in given and n not in may_miss]
        if missing:
            node.mistake(
                f"{joined(f'{{{name}}}' for name in missing)} must stand in this text.",
                "The page puts something there; keep the braces and the name as they are.",
            )
