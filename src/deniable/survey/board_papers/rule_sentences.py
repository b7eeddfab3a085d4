"""What a group's device does, in a sentence of each language that papers are written in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deniable.channel.device import Outcome
from deniable.design import Group


@dataclass(frozen=True)
class RulePhrases:
    """The parts of such a sentence."""

    does: Mapping[str, str]
    """What is sent, by what the throw says to do."""

    drawn_personal: str
    """Where nobody is asked the personal question."""

    says: str
    first: str
    then: str
    truth: str
    becomes: str
    together: str


PHRASES = {
    "en": RulePhrases(
        does={
            "truth": "the answer itself",
            "opposite": "its opposite",
            "another": "another of the possible answers, each as likely",
            "drawn": "any of the possible answers, each as likely, whatever is true",
            "personal": "the answer to the harmless question “{}”",
        },
        drawn_personal="an answer that the device draws with fixed chances",
        says="“{}”, whatever is true",
        first="In {} of cases {} is sent",
        then=", in {} {}",
        truth="Where “{}” is true: {}.",
        becomes="“{}” in {} of cases",
        together=" One throw decides for these questions together.",
    ),
    "de": RulePhrases(
        does={
            "truth": "die Antwort selbst",
            "opposite": "ihr Gegenteil",
            "another": "eine andere der möglichen Antworten, jede gleich oft",
            "drawn": "irgendeine der möglichen Antworten, jede gleich oft, was immer stimmt",
            "personal": "die Antwort auf die harmlose Frage „{}“",
        },
        drawn_personal="eine Antwort, die das Gerät mit festen Chancen zieht",
        says="„{}“, was immer stimmt",
        first="In {} der Fälle wird {} gesendet",
        then=", in {} {}",
        truth="Wenn „{}“ stimmt: {}.",
        becomes="„{}“ in {} der Fälle",
        together=" Ein Wurf entscheidet für diese Fragen gemeinsam.",
    ),
}
"""By language; these are the languages of the papers."""


def outcome_sentence(
    chances: Sequence[tuple[str, Outcome]],
    words: Sequence[str],
    phrases: RulePhrases,
    asked: Sequence[str],
) -> str:
    """Say what is sent how often, where that does not depend on the truth.

    `asked` are the personal questions; where there are none, the device draws their answers.
    """
    parts: list[str] = []
    for chance, outcome in chances:
        if outcome.do == "say":
            sent = phrases.says.format(words[outcome.say])
        elif outcome.do == "personal" and not asked:
            sent = phrases.drawn_personal
        else:
            sent = phrases.does[outcome.do].format(" · ".join(dict.fromkeys(asked)))
        parts.append((phrases.then if parts else phrases.first).format(chance, sent))
    return "".join(parts) + "."


def law_sentence(law: list[tuple[str, list[tuple[str, str]]]], phrases: RulePhrases) -> str:
    """Say what each answer becomes, where what is to be done depends on it."""
    return " ".join(
        phrases.truth.format(truth, ", ".join(phrases.becomes.format(*each) for each in becomes))
        for truth, becomes in law
    )


def together(group: Group, sentence: str, phrases: RulePhrases) -> str:
    """Add that one throw decides for several answers."""
    return sentence + phrases.together if len(group.names) > 1 else sentence
