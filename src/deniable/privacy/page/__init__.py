"""The privacy report as one page that can be read, sent and printed.

Written for somebody who never heard of ε: people of 100, pictures, short sentences. Nothing is
loaded from elsewhere and nothing runs; all that users wrote is escaped. The page holds what the
report holds, which is about a design and shares of a population, never about one respondent.
"""

from collections.abc import Iterator

from deniable.base.wording import three_digits
from deniable.privacy.page.cards import cards, guesses
from deniable.privacy.page.chart import trade_off_section
from deniable.privacy.page.markup import Html, fragment, framed, tag
from deniable.privacy.page.page_words import looked_at, reader, tilt
from deniable.privacy.report.figures import PrivacyReport

__all__ = ["page"]


def page(report: PrivacyReport, design_name: str) -> str:
    """Write a privacy report as one self-contained HTML page.

    It says whom it takes the reader for, and shows each figure of the report that a person can
    use, as people of 100; ε and PSE come with what they mean.
    """
    body = fragment(
        [
            tag(
                "header",
                tag("p", design_name, class_="file"),
                tag("h1", "What the reports give away"),
                tag("p", looked_at(report), class_="lead"),
                tag("p", reader(report)),
            ),
            tag("main", *_sections(report)),
            tag(
                "footer",
                tag(
                    "p",
                    "Made by deniable. The same numbers as JSON: ",
                    tag("code", f"deniable privacy {design_name} … --json"),
                ),
            ),
        ]
    )
    return framed(f"What reports of {design_name} give away", body)


def _sections(report: PrivacyReport) -> Iterator[Html]:
    yield _warnings(report)
    if len(report.attributes) > 1:
        yield _record(report)
    yield tag("section", tag("h2", "Answer by answer"), cards(report))
    if report.attributes:
        yield trade_off_section(report)
        yield _assumptions(report)
    yield _glossary()


def _warnings(report: PrivacyReport) -> Html:
    if not report.warnings:
        calm = (
            "Nothing about this design stood out. That is no promise: it holds for the reader "
            "described above, and for people who answer once."
        )
        return tag("section", tag("h2", "Warnings"), tag("p", calm), class_="card calm")
    title = "The most serious first" if len(report.warnings) > 1 else "Please read this first"
    items = [tag("li", warning) for warning in report.warnings]
    return tag(
        "section", tag("h2", "Warnings"), tag("p", title, class_="small"), tag("ol", *items),
        class_="card warnings",
    )  # fmt: skip


def _record(report: PrivacyReport) -> Html:
    more = [tilt(report.record.epsilon)]
    if len(report.groups) > 1:
        more.append(
            "One forged report counts for up to "
            f"{three_digits(report.influence)} people in a count that touches every group."
        )
    seen = report.record.guess is not None or report.record.measured is not None
    about = "Of 100 people, a reader guesses the whole record right for …" if seen else ""
    return tag(
        "section",
        tag("h2", "The whole record"),
        tag("p", about),
        guesses(report.record),
        tag("p", " ".join(more), class_="small"),
        class_="card record",
    )


def _assumptions(report: PrivacyReport) -> Html:
    sentences = [
        "Everybody uses the device as described, and answers once.",
        "The guesses hold for a reader who knows what is said at the top, and no more. Whoever "
        "knows more about a person guesses better.",
        "The best guess is the best that anybody with that knowledge could do.",
        "ε holds for every reader, whatever they know.",
    ]
    if report.population.source == "even":
        sentences.append(
            "No population was given, so every value counts as equally likely, and no answer says "
            "anything about another. Among real people, answers hang together, and more is guessed."
        )
    if report.population.source == "reports":
        sentences[2] = (
            "The best guess is what a reader expects who believes what the reports seem to say."
        )
    if report.record.measured and report.population.source == "reports":
        sentences.append(
            "The attacker learns from half of the reports and guesses the others; how often it is "
            "right is estimated through the disguise; ± is a 95 % margin."
        )
    elif report.record.measured:
        sentences.append(
            "The real attacker had only the reports and the design. Its success was measured on "
            f"{report.record.measured.people:,} people; ± is a 95 % margin."
        )
    if report.record.guess_std_error:
        sentences.append(
            "Where combinations are too many to list, the best guess is an average over a sample "
            "of reports; ± is a 95 % margin."
        )
    items = [tag("li", sentence) for sentence in sentences]
    return tag(
        "section", tag("h2", "What these numbers assume"), tag("ul", *items), class_="assumed"
    )


def _glossary() -> Html:
    words = {
        "Disguised": "A random device, such as a coin, decides whether the answer itself or "
        "something else is reported. Nobody but the respondent knows which.",
        "Best guess": "Whoever reads a report guesses the likeliest truth. We count how often "
        "that is right.",
        "ε (epsilon)": "How far a report can tilt the scales: e to the power of ε is how many "
        "times likelier it can be under one truth than under another. 0 says nothing; ∞ rules "
        "something out.",
        "PSE": "The papers’ privacy measure: how often a reader is wrong who guesses by chance, "
        "each truth as often as it is likely. Higher is more private.",
        "Forged report": "One sent by somebody who ignores the device to move the result. The "
        "stronger the disguise, the more it counts.",
    }
    pairs = [tag("div", tag("dt", word), tag("dd", means)) for word, means in words.items()]
    return tag("section", tag("h2", "Words"), tag("dl", *pairs))
