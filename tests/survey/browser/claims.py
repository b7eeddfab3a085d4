"""What each sentence of the respondent's page claims, and what makes it true.

The facts are not the page's own: the design's channels, the privacy report, what was requested and
what the database holds. A claim is *shown* exactly where it is true, and its numbers are right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deniable.privacy.measures.single_answer import entry_matrix
from deniable.survey.protocol import size_of
from survey.browser.facts import Facts
from survey.browser.shown_words import Said

Holds = Callable[[Facts], bool]
Numbers = Callable[[Facts, Said], bool]


@dataclass(frozen=True)
class Claim:
    """Where a sentence is true, and whether its numbers are right."""

    holds: Holds
    numbers: Numbers = lambda facts, said: True
    always_said: bool = True
    """Whether it must stand on the page wherever it is true."""


def _about(number: int, share: float) -> bool:
    """Whether so many of 100 are a share, rounded; halves are rounded either way."""
    return abs(number - 100 * share) < 0.5 + 1e-6


def _guess(facts: Facts, said: Said) -> bool:
    before, after = max(facts.one, key=lambda one: one[1])
    return _about(said.number("before"), before) and _about(said.number("after"), after)


def _record(facts: Facts, said: Said) -> bool:
    before, after = facts.record or (0.0, 0.0)
    told = {"after": after, "before": before}
    return all(_about(said.number(name), told[name]) for name in said.given)


def _shared(facts: Facts, said: Said) -> bool:
    return _about(said.number("after"), max(facts.knowing))


def _people(facts: Facts, said: Said) -> bool:
    share = facts.survey.direct
    return share is not None and (said.number("some"), said.number("of")) == (
        share.numerator,
        share.denominator,
    )


def _chance(*kinds: str) -> Numbers:
    """So many of so many people: the chance of such an outcome in one of the groups."""

    def right(facts: Facts, said: Said) -> bool:
        chances = [
            float(outcome.chance)
            for group in facts.survey.design.groups
            for outcome in group.channel.outcomes()
            if outcome.do in kinds
        ]
        many = said.number("count")
        return any(
            abs(many - chance * of) <= 0.5 for chance in chances for of in (10, 6, 12, 20, 100)
        )

    return right


def _times(facts: Facts, said: Said) -> bool:
    share = said.number("count") / said.number("of")
    group = facts.survey.design.groups[0]
    chances = [float(outcome.chance) for outcome in group.channel.outcomes()]
    chances += [float(chance) for row in group.channel.marginal([0]).matrix([0]) for chance in row]
    return min(abs(share - chance) for chance in chances) <= 0.5 / said.number("of")


def _reader(facts: Facts, said: Said) -> bool:
    """Of 100 people, ten of whom have the answer: who sends it, and for whom it is true."""
    having = said.number("having") / 100
    for group in facts.survey.design.groups:
        C = entry_matrix(group, group.names[0])
        for value in range(len(C)):
            shares = [(1 - having) / (len(C) - 1)] * len(C)
            shares[value] = having
            sent = float(C[value] @ shares)
            theirs = having * C[value, value]
            if _about(said.number("sent"), sent) and _about(said.number("theirs"), theirs):
                return True
    return False


def _nothing_proved(facts: Facts) -> bool:
    """Nobody's report proves the answer that one would rather not give."""
    harmless = {a.values[0] for group in facts.survey.design.groups for a in group.attributes}
    return facts.disguised and facts.certain <= harmless


def _all_questions(facts: Facts, said: Said) -> bool:
    return said.number("count") == len(facts.survey.questions)


def _for_some(facts: Facts) -> bool:
    """Whether some questions are not asked of everybody."""
    return any(question.condition for question in facts.survey.questions)


def _may_skip(facts: Facts) -> bool:
    """Whether saying nothing is one of the disguised answers."""
    groups = facts.survey.design.groups
    return any("skipped" in a.values for group in groups for a in group.attributes)


def _own(facts: Facts) -> bool:
    return facts.disguised and facts.device == "own"


def _page(facts: Facts) -> bool:
    return facts.disguised and facts.device == "page"


def _anyway(facts: Facts) -> int:
    """Questions for which the page draws whatever is chosen: they are too hard for hands."""
    shown = zip(facts.survey.design.groups, facts.survey._shown(), strict=True)
    hard = {name for group, one in shown if not one["byHand"] for name in group.names}
    if not facts.disguised or "own" not in facts.survey.devices:
        return 0
    return sum(question.attributes[0].name in hard for question in facts.survey.questions)


def _offered(facts: Facts) -> set[str]:
    here = {"own": facts.lasting or not _anyway(facts), "page": facts.lasting}
    return {device for device in facts.survey.devices if here[device]} if facts.disguised else set()


def _both(facts: Facts) -> bool:
    return len(_offered(facts)) > 1


def _can_throw(facts: Facts) -> bool:
    """Whether throwing is one's own choice, or all that is left."""
    return "own" in _offered(facts) and "page" in facts.survey.devices


CLAIMS: Mapping[str, Claim] = {
    "about.count": Claim(lambda f: not _for_some(f), _all_questions),
    "about.countMost": Claim(_for_some, _all_questions),
    "about.all": Claim(lambda f: f.disguised and not f.public),
    "about.some": Claim(lambda f: f.public),
    "about.plain": Claim(lambda f: f.openly and f.sent_as_given),
    "about.bit": Claim(lambda f: f.bit and len(f.answer.report) == 1),
    "consent.lead": Claim(lambda f: f.disguised),
    "consent.evens": Claim(lambda f: f.disguised and "coins" not in f.kept_after),
    "consent.proof": Claim(_nothing_proved),
    "consent.proofWhy": Claim(_nothing_proved),
    "consent.readers": Claim(lambda f: f.disguised),
    "consent.guess": Claim(_nothing_proved),
    "consent.right": Claim(lambda f: f.disguised and len(f.one) == 1, _guess),
    "consent.rightMost": Claim(lambda f: f.disguised and len(f.one) > 1, _guess),
    "consent.rightAll": Claim(
        lambda f: f.record is not None and f.record[0] >= 0.005 and f.record[1] >= 0.005, _record
    ),
    "consent.rightAllMany": Claim(
        lambda f: f.record is not None and f.record[0] < 0.005 <= f.record[1], _record
    ),
    "consent.rightFew": Claim(
        lambda f: f.record is not None and f.record[1] < 0.005, lambda f, s: s.number("after") == 1
    ),
    "consent.even": Claim(lambda f: f.disguised and f.report.population.is_even),
    "consent.certain": Claim(
        lambda f: f.disguised and bool(f.certain),
        lambda f, s: {s.given["values"].strip("“”").lower()} == f.certain,
    ),
    "consent.shared": Claim(lambda f: any(share == 1 for share in f.knowing)),
    "consent.sharedGuess": Claim(
        lambda f: bool(f.knowing) and all(share < 1 for share in f.knowing), _shared
    ),
    "consent.second": Claim(lambda f: f.second),
    "consent.open": Claim(lambda f: f.public),
    "consent.openRead": Claim(lambda f: f.public),
    "consent.partInvited": Claim(
        lambda f: f.survey.invitations and f.unlinked and "-" * 64 not in f.rows["invitations"][0]
    ),
    "consent.partOpen": Claim(lambda f: not f.survey.invitations and f.nobody_named),
    "consent.network": Claim(lambda f: f.one_length),
    "consent.device": Claim(
        lambda f: (_offered(f) == {"page"} or bool(_anyway(f))) and "coins" in f.kept_before
    ),
    "consent.notDirect": Claim(
        lambda f: f.disguised and f.survey.direct is not None and f.answer.arm == "disguised",
        _people,
    ),
    "consent.stop": Claim(lambda f: not f.direct and f.no_answer_early),
    "consent.invited": Claim(lambda f: f.survey.invitations and f.lasting and f.no_answer_early),
    "consent.invitedOnce": Claim(lambda f: f.survey.invitations and not f.lasting),
    "plain.lead": Claim(lambda f: f.openly and not f.direct and f.sent_as_given),
    "plain.body": Claim(lambda f: f.openly and not f.direct and f.nobody_named),
    "oneBit.lead": Claim(lambda f: f.bit and len(f.answer.report) == 1),
    "oneBit.body": Claim(lambda f: f.bit),
    "oneBit.tells": Claim(lambda f: f.bit),
    "direct.lead": Claim(lambda f: f.direct and f.sent_as_given),
    "direct.body": Claim(lambda f: f.direct and f.answer.arm == "direct", _people),
    "direct.stop": Claim(lambda f: f.direct and f.no_answer_early),
    "how.asIs": Claim(lambda f: f.disguised, _chance("truth"), always_said=False),
    "how.oneAsIs": Claim(lambda f: f.disguised, _chance("truth"), always_said=False),
    "how.others.opposite": Claim(lambda f: f.disguised, _chance("opposite"), always_said=False),
    "how.others.another": Claim(lambda f: f.disguised, _chance("another"), always_said=False),
    "how.others.personal": Claim(lambda f: f.second, _chance("personal")),
    "how.others.drawn": Claim(
        lambda f: f.disguised, _chance("drawn", "personal"), always_said=False
    ),
    "how.saysAnyway": Claim(lambda f: f.disguised, _chance("say"), always_said=False),
    "how.these": Claim(
        lambda f: f.disguised,
        lambda f, s: s.number("of") == len(f.survey.questions),
        always_said=False,
    ),
    "how.together": Claim(lambda f: bool(f.knowing)),
    "how.apart": Claim(lambda f: f.disguised and len(f.report.groups) > 1, always_said=False),
    "how.reader": Claim(lambda f: f.disguised, _reader),
    "choose.lead": Claim(_both),
    "choose.own": Claim(_can_throw),
    "choose.ownHelp": Claim(_can_throw),
    "choose.noStorage": Claim(
        lambda f: _offered(f) == {"own"} and "page" in f.survey.devices and not f.lasting
    ),
    "choose.page": Claim(_both),
    "choose.pageHelp": Claim(lambda f: _both(f) and not _anyway(f) and "coins" in f.kept_before),
    "choose.pageQuick": Claim(lambda f: _both(f) and bool(_anyway(f))),
    "choose.ownBut": Claim(
        lambda f: _can_throw(f) and bool(_anyway(f)),
        lambda f, s: int(s.given.get("count", "1")) == _anyway(f),
    ),
    "practice.lead": Claim(lambda f: f.no_answer_early and f.disguised),
    "practice.times": Claim(lambda f: f.disguised, _times),
    "practice.onlyThis": Claim(_page),
    "practice.onlyClicked": Claim(_own),
    "check.report.guess": Claim(_nothing_proved),
    "check.report.why": Claim(_nothing_proved),
    "check.rule.real": Claim(_page),
    "check.throw.follow": Claim(_own),
    "questions.public": Claim(lambda f: f.public or f.openly or f.bit),
    "questions.stays": Claim(lambda f: f.bit),
    "questions.disguised": Claim(lambda f: f.disguised),
    "questions.pageCoin": Claim(lambda f: _page(f) or bool(_own(f) and _anyway(f))),
    "questions.both": Claim(lambda f: _page(f) and f.second),
    "questions.skipToo": Claim(lambda f: f.disguised and _nothing_proved(f) and _may_skip(f)),
    "own.never": Claim(_own),
    "review.note": Claim(lambda f: _page(f) and not f.public),
    "review.noteSome": Claim(lambda f: _page(f) and f.public),
    "review.noteOwn": Claim(lambda f: _own(f) and not _anyway(f) and f.sent_as_given),
    "review.noteMixed": Claim(lambda f: _own(f) and bool(_anyway(f))),
    "review.noteDirect": Claim(lambda f: f.openly and f.sent_as_given),
    "review.noteBit": Claim(lambda f: f.bit and len(f.answer.report) == 1),
    "review.literalNote": Claim(
        lambda f: f.one_length,
        lambda f, s: s.number("size") == size_of(len(f.survey.design.schema)),
    ),
    "review.parts": Claim(lambda f: not f.bit and not f.answer.token),
    "review.partsInvited": Claim(lambda f: not f.bit and bool(f.answer.token)),
    "review.partsBit": Claim(lambda f: f.bit and not f.answer.token),
    "review.partsBitInvited": Claim(lambda f: f.bit and bool(f.answer.token)),
    "done.lead": Claim(lambda f: not f.bit and len(f.stored) == 1),
    "done.leadBit": Claim(lambda f: f.bit and len(f.stored) == 1),
    "done.why": Claim(lambda f: len(f.stored) == 1),
    "done.secret": Claim(lambda f: f.stored[0][1:] == (f.answer.arm, f.answer.report)),
    "done.kept": Claim(lambda f: f.lasting and f.kept_after == {"sent": {"receipt": f.receipt}}),
}
"""By the place of the sentence among the words."""

ELSEWHERE = {
    # claims about a walk that is interrupted; test_browser_flows, _network and below
    *("consent.begun", "consent.sharedMore", "preview", "done.preview"),
    *("done.forgotten", "sending.waiting", "sending.waitingBit", "sending.open"),
    "sending.keepOpen",
}

LABELS = {
    # headings, buttons and instructions, which promise nothing
    *(
        "letters.a",
        "letters.b",
        "name",
        "language",
        "quoted",
        "progress",
        "back",
        "next",
        "yes",
        "no",
        "loading",
        "tryAgain",
    ),
    *("contact", "checkReceipt", "backToSurvey", "about.title", "about.asked", "about.next"),
    *("consent.title", "consent.table", "consent.one", "consent.all", "consent.part"),
    *("consent.agree", "plain.title", "oneBit.title", "direct.title", "direct.agree"),
    *("how.of", "how.ofAbout", "how.ofThose", "how.ofThoseAbout", "how.says", "how.answer"),
    *("how.readerTitle", "choose.title", "choose.legend", "choose.first", "practice.timesAbout"),
    *("practice.title", "practice.question", "practice.personal", "practice.toss"),
    *("practice.done", "practice.wouldSend", "practice.both", "practice.example"),
    *("practice.truth", "practice.turned", "practice.drawn", "practice.second"),
    *("practice.anySecond", "practice.anyDrawn", "practice.anyway", "practice.first"),
    *("practice.needed", "check.title", "check.lead", "check.right", "check.wrong", "check.first"),
    *("check.report.text", "check.report.real", "check.rule.text", "check.rule.change"),
    *("check.rule.why", "check.throw.text", "check.throw.real", "check.throw.why"),
    *("questions.title", "questions.part", "questions.several", "questions.none"),
    *(
        "questions.missing",
        "questions.needed",
        "questions.skip",
        "review.notAsked",
        "questions.all",
        "questions.direct",
    ),
    *("review.title", "review.question", "review.sent", "review.literal", "review.send"),
    *("review.ticket", "review.none", "sending.title", "done.title", "done.receipt", "done.copy"),
    *("done.copied", "done.print", "done.forget"),
}

SECTIONS = ("choose.tools", "own", "receipts", "trouble", "early")
"""Of labels and instructions, and of notices that other tests read."""


def unclassified(keys: set[str]) -> set[str]:
    """Sentences of which nobody has said what would make them true."""
    known = {*CLAIMS, *ELSEWHERE, *LABELS}
    return {
        key
        for key in keys
        if key not in known and not key.startswith(tuple(f"{name}." for name in SECTIONS))
    }


def false_claims(facts: Facts, said: list[Said], unknown: list[str]) -> list[str]:
    """What is wrong with what was shown: what is not true here, and what is missing."""
    wrong = [f"unknown: {line}" for line in unknown]
    for one in said:
        claim = CLAIMS.get(one.key)
        if claim is None:
            continue
        if not claim.holds(facts):
            wrong.append(f"not true here: {one.key}")
        elif not claim.numbers(facts, one):
            wrong.append(f"wrong numbers: {one.key} {dict(one.given)}")
    shown = {one.key for one in said}
    for key, claim in CLAIMS.items():
        if claim.always_said and key not in shown and claim.holds(facts):
            wrong.append(f"missing: {key}")
    return sorted(set(wrong))
