"""Words for people: in every language of the survey."""

import re
from collections.abc import Sequence

from deniable.base.entries import Entry
from deniable.base.errors import nearest, shortened
from deniable.survey.questionnaire.survey import Text

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def is_language(code: str) -> bool:
    """Whether it is written as codes of languages are."""
    return bool(_LANGUAGE.fullmatch(code))


def read_languages(node: Entry) -> tuple[str, ...]:
    """Read the codes of the languages; none of them where there is a mistake."""
    hint = "Write languages: [en, de]."
    found: list[str] = []
    before = node.findings.wrong
    for item in node.items(hint):
        code = item.text(hint)
        if code and not is_language(code):
            item.mistake(f"{shortened(code)} is no code of a language.", "Write en, de, pt-BR, ….")
        elif code in found:
            item.mistake(f"{code!r} stands twice.", "Remove one of them.")
        found.append(code)
    return tuple(found) if node.findings.wrong == before else ()


def read_words(node: Entry, languages: Sequence[str]) -> Text:
    """Read the same words in every language; in a single one, plain text will do.

    Where the languages themselves could not be read, none is missed.
    """
    hint = f"Write {{{', '.join(f'{code}: …' for code in languages)}}}."
    if node.is_text():
        words = node.text(hint)
        if words and len(languages) > 1:
            node.mistake(f"One text is given for {len(languages)} languages.", hint)
        return dict.fromkeys(languages, words)
    found = node.entries(hint)
    for code, child in found.items():
        if languages and code not in languages:
            child.mistake(
                f"{shortened(code)} is no language of the survey.", nearest(code, languages)
            )
    for code in languages:
        if found and code not in found:
            node.mistake(f"The text in {code!r} is missing.", hint)
    texts = {code: child.text() for code, child in found.items()}
    return {code: texts.get(code, "") for code in languages}
