"""Large CSV files are read by DuckDB; they mean what they mean to the reader of small ones."""

from pathlib import Path

import pytest

from deniable.base.errors import DataError
from deniable.engine.open_table import open_table
from deniable.schema import Schema

SCHEMA = Schema.of(
    {"a b": ["no", "yes", "", "two\nlines", 'say "hi"', " x ", "1,5"], "c": ["0", "1"]}
)
ONE = Schema.of({"a": ["no", "yes", ""]})

ODDITIES = {
    "plain": b"a b,c\nno,0\nyes,1\nyes,1\n",
    "no line end": b"a b,c\nno,0\nyes,1",
    "windows": b"a b,c\r\nno,0\r\nyes,1\r\n",
    "old mac": b"a b,c\rno,0\ryes,1\r",
    "mark": b"\xef\xbb\xbfa b,c\nno,0\nyes,1\n",
    "quoted header": b'"a b","c"\nno,0\n"yes","1"\n',
    "newline in quotes": b'a b,c\n"two\nlines",0\nyes,1\n',
    "quotes in quotes": b'a b,c\n"say ""hi""",0\nyes,1\n',
    "empty value": b"a b,c\n,0\nyes,1\n",
    "quoted empty value": b'a b,c\n"",0\nyes,1\n',
    "blanks kept": b"a b,c\n x ,0\nyes,1\n",
    "comma in quotes": b'a b,c\n"1,5",0\nyes,1\n',
    "semicolons": b"a b;c\nno;0\n1,5;1\n",
    "tabs": b"a b\tc\nno\t0\n1,5\t1\n",
    "empty lines": b"a b,c\n\nno,0\n\nyes,1\n\n",
    "other columns": b'x,c,y,a b\nwhatever,0,"a\nb",no\n,1,NULL,yes\n',
    "words for null": b"x,a b,c\nNULL,no,0\nnull,yes,1\n",
    "only a header": b"a b,c\n",
    "like a comment": b"x,a b,c\n#hash,no,0\n#,yes,1\n",
    "late quote": b'x,a b,c\na"b,no,0\n',
}


def both(path: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the two readers find, or what they say."""
    found: list[object] = []
    for most in (1 << 26, -1):
        monkeypatch.setattr("deniable.engine.files.file_tables.READ_CELLS", most)
        try:
            (table,) = open_table(path).engine(schema).tabulate([schema.names])
            found.append(table.dense().tolist())
        except DataError as error:
            found.append(str(error))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("content", ODDITIES.values(), ids=list(ODDITIES))
def test_both_readers_agree(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "data.csv").write_bytes(content)
    small, large = both(path, SCHEMA, monkeypatch)
    assert small == large


def test_both_readers_agree_on_a_single_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "data.csv").write_bytes(b"a\nno\n\nyes\n")
    small, large = both(path, ONE, monkeypatch)
    assert small == large == [1, 1, 1]


@pytest.mark.parametrize(
    "content",
    [b"a b,c\nno,0\nno\n", b"a b,c\nno,0,1\n", b"a b,c\nmaybe,0\n", b"a b,c\nno,\xff\n"],
    ids=["too few", "too many", "unknown", "no UTF-8"],
)
def test_both_readers_refuse_in_the_same_words(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "data.csv").write_bytes(content)
    small, large = both(path, SCHEMA, monkeypatch)
    assert isinstance(small, str)
    assert small == large


def test_a_very_long_line_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["note,a"] + ["short,no"] * 1000 + ["long " * 1_000_000 + ",yes"] + ["short,no"] * 9
    (path := tmp_path / "data.csv").write_text("\n".join(lines))
    small, large = both(path, ONE, monkeypatch)
    assert small == large == [1009, 1, 0]
