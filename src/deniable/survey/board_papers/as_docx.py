"""A paper as a Word document: the few parts of Office Open XML that it needs, in one archive.

Headings, lists and tables are real ones, in styles that can be changed; the language is set, so
that spelling is checked in it; what has to be filled in is highlighted; pages have numbers.
"""

from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from deniable.survey.board_papers.markdown_blocks import (
    Block,
    Bullets,
    Code,
    Grid,
    Heading,
    Line,
    Paragraph,
    StyledText,
    words_of,
)

WORD_NAMES = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MADE = (1980, 1, 1, 0, 0, 0)
"""The same paper is the same file, whenever it is written."""

TEXT_WIDTH = 9356
"""Twentieths of a point between the margins of A4."""

LONGEST_CELL = 36
"""Signs of a cell that get room in one line."""

WORD_BLUE = "0B5A8F"


def as_docx(title: str, blocks: Iterable[Block], language: str) -> bytes:
    """Write a paper."""
    locale = {"en": "en-GB", "de": "de-DE"}.get(language, language)
    body = "".join(part for block in blocks for part in _block(block))
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _relations(
            ("officeDocument", f"{RELATIONS}/officeDocument", "word/document.xml"),
            ("core", f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ),
        "docProps/core.xml": _core(title, locale),
        "word/document.xml": _document(body),
        "word/_rels/document.xml.rels": _relations(
            *((name, f"{RELATIONS}/{name}", f"{name}.xml") for name in ("styles", "numbering")),
            ("footer", f"{RELATIONS}/footer", "footer.xml"),
        ),
        "word/styles.xml": _styles(locale),
        "word/numbering.xml": _NUMBERING,
        "word/footer.xml": _FOOTER,
    }
    archive = BytesIO()
    with ZipFile(archive, "w") as file:
        for name, content in parts.items():
            entry = ZipInfo(name, _MADE)
            entry.compress_type = ZIP_DEFLATED
            file.writestr(entry, _HEAD + content)
    return archive.getvalue()


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, line):
            yield _paragraph(line, "Title" if level == 1 else f"Heading{min(level, 4) - 1}")
        case Paragraph(line, quoted):
            yield _paragraph(line, "Quote" if quoted else None)
        case Bullets(items):
            yield from (_paragraph(item, "ListBullet") for item in items)
        case Code(text):
            yield from (_paragraph((StyledText(line),), "Code") for line in text.splitlines())
        case Grid(rows):
            yield from _table(rows)


def _table(rows: tuple[tuple[Line, ...], ...]) -> Iterator[str]:
    columns = len(rows[0])
    widths = _widths(rows, columns)
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    yield (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="PaperTable"/><w:tblW w:w="{TEXT_WIDTH}" '
        'w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0420" w:firstRow="1" '
        f'w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
    )
    for number, row in enumerate(rows):
        repeated = "<w:tblHeader/>" if number == 0 else ""
        yield f"<w:tr><w:trPr><w:cantSplit/>{repeated}</w:trPr>"
        for place in range(columns):
            cell = row[place] if place < len(row) else ()
            bold = number == 0 or place == 0
            words = tuple(
                StyledText(r.text, "bold") if bold and r.style == "plain" else r for r in cell
            )
            yield (
                f'<w:tc><w:tcPr><w:tcW w:w="{widths[place]}" w:type="dxa"/></w:tcPr>'
                f"{_paragraph(words, 'TableHead' if number == 0 else 'TableText')}</w:tc>"
            )
        yield "</w:tr>"
    yield '</w:tbl><w:p><w:pPr><w:pStyle w:val="TableText"/></w:pPr></w:p>'


def _widths(rows: tuple[tuple[Line, ...], ...], columns: int) -> list[int]:
    """Give each column room by its longest cell, up to what can be broken, or word of its head."""
    heads = [max(map(len, words_of(cell).split()), default=0) for cell in rows[0]]
    longest = [
        max((len(words_of(row[place])) for row in rows[1:] if place < len(row)), default=0)
        for place in range(columns)
    ]
    # Heads are bold, and wider for it.
    wanted = [
        max(h * 5 // 4, min(n, LONGEST_CELL)) + 4 for h, n in zip(heads, longest, strict=True)
    ]
    widths = [TEXT_WIDTH * each // sum(wanted) for each in wanted]
    return [widths[0] + TEXT_WIDTH - sum(widths), *widths[1:]]


def _paragraph(line: Line, style: str | None = None) -> str:
    looks = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{looks}{''.join(map(_run, line))}</w:p>"


_LOOKS = {
    "plain": "",
    "bold": "<w:rPr><w:b/></w:rPr>",
    "emphasis": "<w:rPr><w:i/></w:rPr>",
    "code": '<w:rPr><w:rStyle w:val="CodeWords"/></w:rPr>',
    "fill": '<w:rPr><w:highlight w:val="yellow"/></w:rPr>',
}


def _run(run: StyledText) -> str:
    return f'<w:r>{_LOOKS[run.style]}<w:t xml:space="preserve">{_text(run.text)}</w:t></w:r>'


def _text(text: str) -> str:
    """Escape a text, without the control characters that XML cannot hold."""
    return escape("".join(sign for sign in text if sign >= " " or sign in "\t\n"))


def _document(body: str) -> str:
    page = (
        '<w:sectPr><w:footerReference w:type="default" r:id="footer"/>'
        '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1300" w:right="1275" w:bottom="1300" '
        'w:left="1275" w:header="700" w:footer="600" w:gutter="0"/></w:sectPr>'
    )
    return (
        f'<w:document xmlns:w="{WORD_NAMES}" xmlns:r="{RELATIONS}"><w:body>{body}{page}</w:body>'
        "</w:document>"
    )


def _relations(*given: tuple[str, str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target="{target}"/>'
        for name, kind, target in given
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


def _core(title: str, locale: str) -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{_text(title)}</dc:title><dc:language>{locale}</dc:language>"
        "</cp:coreProperties>"
    )


_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_CONTENT_TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    f'<Override PartName="/word/numbering.xml" ContentType="{_TYPE}.numbering+xml"/>'
    f'<Override PartName="/word/footer.xml" ContentType="{_TYPE}.footer+xml"/>'
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-'
    'package.core-properties+xml"/></Types>'
)

_NUMBERING = (
    f'<w:numbering xmlns:w="{WORD_NAMES}"><w:abstractNum w:abstractNumId="0">'
    '<w:multiLevelType w:val="hybridMultilevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>'
    '<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr>'
    '<w:ind w:left="425" w:hanging="283"/></w:pPr></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)

_FOOTER = (
    f'<w:ftr xmlns:w="{WORD_NAMES}"><w:p><w:pPr><w:jc w:val="right"/></w:pPr>'
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    '<w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:ftr>'
)


def _styles(locale: str) -> str:
    heading = f'<w:b/><w:color w:val="{WORD_BLUE}"/>'
    line = f'<w:bottom w:val="single" w:sz="12" w:space="6" w:color="{WORD_BLUE}"/>'
    edge = '<w:left w:val="single" w:sz="18" w:space="10" w:color="D5DAE0"/>'
    row = '<w:{} w:val="single" w:sz="4" w:space="0" w:color="C3CAD2"/>'
    keep = "<w:keepNext/>"
    return (
        f'<w:styles xmlns:w="{WORD_NAMES}"><w:docDefaults><w:rPrDefault><w:rPr>'
        '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="Calibri"/>'
        f'<w:sz w:val="22"/><w:lang w:val="{locale}"/></w:rPr></w:rPrDefault><w:pPrDefault>'
        '<w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr>'
        "</w:pPrDefault></w:docDefaults>"
        + _style("Normal", "Normal", default=True)
        + _style(
            "Title", "Title", f'{keep}<w:pBdr>{line}</w:pBdr><w:spacing w:after="240"/>',
            '<w:b/><w:sz w:val="38"/>',
        )
        + _style(
            "Heading1", "heading 1",
            f'{keep}<w:spacing w:before="320" w:after="100"/><w:outlineLvl w:val="0"/>',
            f'{heading}<w:sz w:val="26"/>',
        )
        + _style(
            "Heading2", "heading 2",
            f'{keep}<w:spacing w:before="220" w:after="80"/><w:outlineLvl w:val="1"/>',
            '<w:b/><w:sz w:val="23"/>',
        )
        + _style(
            "Heading3", "heading 3", f'{keep}<w:outlineLvl w:val="2"/>', "<w:b/>",
        )
        + _style(
            "Quote", "Quote", f'<w:pBdr>{edge}</w:pBdr><w:ind w:left="340"/>',
            '<w:color w:val="333B43"/>',
        )
        + _style(
            "ListBullet", "List Bullet",
            '<w:numPr><w:numId w:val="1"/></w:numPr><w:spacing w:after="60"/>',
        )
        + _style(
            "Code", "Code", '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
            '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="18"/>',
        )
        + _style(
            "TableText", "Table Text",
            '<w:spacing w:before="40" w:after="40" w:line="250" w:lineRule="auto"/>',
            '<w:sz w:val="19"/>',
        )
        + _style(
            "TableHead", "Table Head",
            f'{keep}<w:spacing w:before="40" w:after="40" w:line="250" w:lineRule="auto"/>',
            f'{heading}<w:sz w:val="18"/>',
        )
        + '<w:style w:type="character" w:styleId="CodeWords"><w:name w:val="Code Words"/><w:rPr>'
        '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="19"/>'
        '</w:rPr></w:style><w:style w:type="table" w:styleId="PaperTable">'
        f'<w:name w:val="Paper Table"/><w:tblPr><w:tblBorders>{row.format("top")}'
        f'{row.format("bottom")}{row.format("insideH")}</w:tblBorders><w:tblCellMar>'
        '<w:left w:w="0" w:type="dxa"/><w:right w:w="160" w:type="dxa"/></w:tblCellMar>'
        "</w:tblPr></w:style></w:styles>"
    )  # fmt: skip


def _style(
    name: str, shown: str, paragraph: str = "", run: str = "", *, default: bool = False
) -> str:
    usual = ' w:default="1"' if default else ""
    based = "" if default else '<w:basedOn w:val="Normal"/>'
    return (
        f'<w:style w:type="paragraph"{usual} w:styleId="{name}"><w:name w:val="{shown}"/>{based}'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )
