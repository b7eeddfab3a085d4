import re
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from deniable.base.wording import three_digits, whole_people
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Implication
from deniable.privacy.page import page
from deniable.privacy.page.cards import Hundred, picture
from deniable.privacy.page.chart import MOST_CURVES, ROOM, Chart, curves
from deniable.privacy.page.markup import STYLE
from deniable.privacy.population import Population
from deniable.privacy.report.figures import PrivacyReport
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.privacy.report.privacy_report import privacy_report
from deniable.schema import Schema
from effort import calls_of

VOID = {"meta"}
ODD = '<b>&"x"'


class Page(HTMLParser):
    """Reads a page strictly: every element is closed, in order; `/>` in drawings only."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.names: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> stays open in HTML"
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def design_of(names: list[str], groups: int, theta: str = "0.7") -> Design:
    per = len(names) // groups
    parts = [names[start : start + per] for start in range(0, len(names), per)]
    return Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [{"attributes": p, "channel": "related", "theta": theta} for p in parts],
        }
    )


def related_people(schema: Schema, n: int, seed: int) -> Records:
    generator = np.random.default_rng(seed)
    hidden = generator.random(n)
    columns = [(hidden + generator.random(n) > 1.1).astype(np.int64) for _ in schema.names]
    return Records.from_codes(columns, schema)


@pytest.fixture(scope="module")
def attacked() -> PrivacyReport:
    design = design_of([f"q{number}" for number in range(8)], 4)
    return privacy_report(design, related_people(design.schema, 3000, 1))


def odd_report() -> PrivacyReport:
    design = Design.of(
        {
            "attributes": {
                ODD: [f"{ODD}1", "'&amp;'"],
                "</article>": ["a", "b"],
                "<i>": ["u", "v"],
            },
            "groups": [
                {"attributes": [ODD, "</article>"], "channel": "related", "theta": "0.6"},
            ],
        }
    )
    return measure_privacy(design, known={"<i>": "u"})


@pytest.mark.slow
def test_every_warning_and_every_attribute_is_on_the_page(
    design: Design, attacked: PrivacyReport
) -> None:
    for report in (measure_privacy(design), attacked):
        text = Page(page(report, "design.yaml")).text
        assert report.warnings
        places = [text.index(warning) for warning in report.warnings]
        assert places == sorted(places)
        for name in report.design.schema.names:
            assert name in text


def test_no_warning_is_said_calmly() -> None:
    report = measure_privacy(design_of(["smokes"], 1))
    assert not report.warnings
    text = Page(page(report, "design.yaml")).text
    assert "That is no promise" in text
    assert "The whole record" not in text  # one answer is its own record


def test_what_users_wrote_is_escaped() -> None:
    report = odd_report()
    written = page(report, '<script>"&.yaml')
    read = Page(written)
    assert not {"b", "i", "script"} & set(read.names)
    for text in (ODD, f"“{ODD}1”", "“'&amp;'”", "</article>", "<i> is “u”", '<script>"&.yaml'):
        assert text in read.text
    for warning in report.warnings:
        assert warning in read.text


@pytest.mark.slow
def test_the_page_is_well_formed_and_its_drawings_are_xml(
    design: Design, attacked: PrivacyReport
) -> None:
    for report in (measure_privacy(design), attacked, odd_report()):
        written = page(report, "design.yaml")
        read = Page(written)
        assert read.open == []
        headings = [int(name[1]) for name in read.names if re.fullmatch(r"h\d", name)]
        assert headings[0] == 1
        assert headings.count(1) == 1
        assert max(np.diff(headings)) == 1  # no level is skipped
        for drawing in drawings(written):
            assert drawing.get("role") == "img"
            label = drawing.get("aria-label")
            assert label
            title = drawing.find("title")
            assert title is not None
            assert title.text == label


def drawings(written: str) -> list[ET.Element]:
    """Every svg that stands by itself."""
    starts = [match.start() for match in re.finditer(r"<svg viewBox|<svg [^>]*viewBox", written)]
    found = []
    for start in starts:
        depth, end = 0, start
        for match in re.finditer(r"<svg\b|</svg>", written[start:]):
            depth += 1 if match.group() == "<svg" else -1
            end = start + match.end()
            if depth == 0:
                break
        found.append(ET.fromstring(written[start:end]))  # noqa: S314 (our own)
    return found


def test_nothing_is_loaded_and_nothing_runs(attacked: PrivacyReport) -> None:
    written = page(attacked, "design.yaml")
    assert "http" not in written
    assert not {"script", "img", "link", "iframe", "object"} & set(Page(written).names)
    for word in ("url(", "@import", "src=", "href=", "onload"):
        assert word not in written


def test_people_of_100_are_drawn_as_many_as_are_said() -> None:
    for share in (0.0, 0.004, 0.123, 0.5, 0.876, 0.999, 1.0):
        drawn = ET.fromstring(drawing_of(share))  # noqa: S314 (our own)
        heads = {
            kind: sum(
                (path.get("d") or "").count("M")
                for path in drawn.iter("path")
                if path.get("class") == f"{kind} head"
            )
            for kind in ("in", "out")
        }
        assert heads == {"in": whole_people(share), "out": 100 - whole_people(share)}
        if 0.01 <= share <= 0.99:
            assert heads["in"] == round(100 * share)
            assert f"{heads['in']} of 100 people" in (drawn.get("aria-label") or "")


def drawing_of(share: float) -> str:
    found = re.search(r"<svg.*</svg>", picture(Hundred(share, "after", "from this answer")))
    assert found
    return found.group()


def test_the_pictures_show_the_reports_figures(attacked: PrivacyReport) -> None:
    written = page(attacked, "design.yaml")
    record = attacked.record
    assert record.before is not None
    assert record.guess is not None
    assert record.measured is not None
    section = written[written.index("The whole record") : written.index("Answer by answer")]
    shown = [int(number) for number in re.findall(r'data-people="(\d+)"', section)]
    assert shown == [
        whole_people(share) for share in (record.before, record.guess, record.measured.success)
    ]
    assert f"± {1.96 * 100 * record.measured.std_error:.2g}" in section


def test_a_report_is_read_as_people_of_100() -> None:
    design = design_of(["smokes"], 1, "4/5")
    people = Population.of_shares(design.schema, {"smokes": np.array([0.8, 0.2])})
    text = Page(page(measure_privacy(design, people), "design.yaml")).text
    # Bayes: .8·.2/(.8·.2 + .2·.8) = 50 %, .2·.2/(.2·.2 + .8·.8) = 5.9 %
    assert (
        "Of 100 people who report “yes”, 50 are “yes”; of 100 who report “no”, 6 are; "
        "of 100 people in general, 20 are." in text
    )
    assert "A report is at most 4 times likelier under one truth than under another" in text


def test_who_reads_is_said(design: Design, attacked: PrivacyReport) -> None:
    shares = Population.of_document({"smokes": "0.2"}, design.schema)
    said = {
        "takes every value for as likely as any other": measure_privacy(design),
        "from the shares that were given": measure_privacy(design, shares),
        "among 3,000 people": attacked,
        "knows already that region is “north”": measure_privacy(design, known={"region": "north"}),
    }
    for words, report in said.items():
        assert words in Page(page(report, "design.yaml")).text


def test_known_rules_bring_pse_after_mining(design: Design) -> None:
    rule = Implication.parse("drinks=yes => smokes=yes: 0.8", design.schema)
    report = measure_privacy(design, rules=[[rule]])
    text = Page(page(report, "design.yaml")).text
    assert f"PSE after mining {three_digits(report.attributes['smokes'].pse_after)}" in text
    assert "PSE after mining" not in Page(page(measure_privacy(design), "design.yaml")).text


def test_what_looks_private_is_shown_as_what_it_is() -> None:
    design = design_of([f"a{number}" for number in range(8)], 1, "0.55")
    text = Page(page(measure_privacy(design), "design.yaml")).text
    assert "Some reports rule out some truths altogether (ε = ∞)" in text
    assert "Whoever already knows any one of them guesses all of them right for 100 of 100" in text


def test_equal_curves_are_one_and_too_many_are_left_to_the_table(attacked: PrivacyReport) -> None:
    even = measure_privacy(attacked.design)
    assert [curve.names for curve in curves(even)] == [list(attacked.design.schema.names)]
    assert len(curves(attacked)) > MOST_CURVES
    text = Page(page(attacked, "design.yaml")).text
    (left_out,) = re.findall(r"Left out of the picture, but in the table: (.*?)\.", text)
    without = [name for curve in curves(attacked)[MOST_CURVES:] for name in curve.names]
    assert re.split(", | and ", left_out) == without


def test_the_dot_lies_on_its_line_and_all_is_within_the_drawing(attacked: PrivacyReport) -> None:
    shown = curves(attacked)[:MOST_CURVES]
    for size in ROOM:
        chart = Chart(shown, size, "x", "y")
        drawing = ET.fromstring(chart.drawing())  # noqa: S314 (our own)
        inner = drawing.find("svg")
        assert inner is not None
        left, top = float(inner.get("x") or 0), float(inner.get("y") or 0)
        lines = {
            (line.get("class") or "").split()[1]: [
                tuple(map(float, pair.split(","))) for pair in (line.get("points") or "").split()
            ]
            for line in inner.iter("polyline")
        }
        dots = list(drawing.iter("circle"))
        assert len(dots) == len(lines) == len(shown)
        for dot in dots:
            x, y = float(dot.get("cx") or 0), float(dot.get("cy") or 0)
            line = lines[(dot.get("class") or "").split()[1]]
            # All are written to a tenth of a pixel: sums of two of these are off by 0.1 at most.
            assert min(max(abs(x - left - px), abs(y - top - py)) for px, py in line) < 0.11
            assert left <= x <= ROOM[size].width - ROOM[size].right
            assert top <= y <= ROOM[size].height - ROOM[size].bottom
        heights = sorted(float(t.get("y") or 0) for t in drawing.iter("text") if is_label(t))
        assert min(np.diff(heights)) >= 16
        assert heights[-1] <= ROOM[size].height


def is_label(text: ET.Element) -> bool:
    return "label" in (text.get("class") or "")


def test_nothing_disguised_is_a_page_too() -> None:
    report = measure_privacy(Design.truthful(Schema.of({"smokes": ["no", "yes"]})))
    text = Page(page(report, "design.yaml")).text
    assert "smokes" in text
    assert "Public: reported as it is" in text


def test_respondents_are_never_called_liars(attacked: PrivacyReport) -> None:
    text = Page(page(attacked, "design.yaml")).text.lower()
    assert not re.search(r"\b(false|lie|lies|liar|lying|wrong answer)\b", text)


@pytest.mark.slow
def test_twice_as_many_attributes_make_no_more_than_twice_the_work() -> None:
    def work(attributes: int) -> int:
        design = design_of([f"q{number}" for number in range(attributes)], 4)
        report = privacy_report(design, related_people(design.schema, 500, 2))
        return calls_of(lambda: page(report, "design.yaml")).total()

    assert work(16) < 2.1 * work(8)


def luminance(colour: str) -> float:
    digits = colour * 2 if len(colour) == 3 else colour
    channels = np.array([int(digits[place : place + 2], 16) for place in (0, 2, 4)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_words_stand_out_from_their_ground() -> None:
    for theme in re.findall(r":root \{(.*?)\}", unescape(STYLE), re.DOTALL)[:2]:
        colours = dict(re.findall(r"--([\w-]+): #(\w+)", theme))
        words = ["ink", "soft", "before", "after", "attacker", *(f"c{n}" for n in range(6))]
        pairs = [(word, ground) for word in words for ground in ("paper", "card")]
        pairs += [("alarm", "alarm-card"), ("ink", "alarm-card")]
        for word, ground in pairs:
            dark, light = sorted([luminance(colours[word]), luminance(colours[ground])])
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (word, ground)  # WCAG 2.2 AA
