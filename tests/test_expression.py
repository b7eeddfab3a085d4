import shlex

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.base.errors import ExpressionError, SchemaError
from deniable.expression import (
    ANY,
    Conjunction,
    Family,
    Implication,
    conjunction,
    items_named,
    parse,
)
from deniable.quoting import meant_terms
from deniable.schema import Attribute, Schema

SCHEMA = Schema.of(
    {
        "smokes": ["no", "yes"],
        "region": ["north", "south", "west"],
        "income": ["<=50K", ">50K"],
        "native country": ["United States", "a & b", " padded ", "'q'", 'say "hi"', ""],
    }
)

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, unique=True)), min_size=1, max_size=4))
def test_what_is_written_reads_back_whatever_the_names(
    domains: list[tuple[str, list[str]]],
) -> None:
    by_name = dict(domains)
    schema = Schema.of(by_name)
    written = Conjunction(tuple((name, values[-1]) for name, values in by_name.items()))
    assert parse(str(written), schema) == written


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("smokes=yes & region=north", (("smokes", "yes"), ("region", "north"))),
        ("  smokes = yes&region= north ", (("smokes", "yes"), ("region", "north"))),
        ("income=<=50K", (("income", "<=50K"),)),
        ("native country=United States", (("native country", "United States"),)),
        ("'native country'=\"a & b\"", (("native country", "a & b"),)),
        ('"native country" = " padded "', (("native country", " padded "),)),
        ("native country=\"'q'\"", (("native country", "'q'"),)),
        (r'native country="say \"hi\""', (("native country", 'say "hi"'),)),
        ("native country=''", (("native country", ""),)),
        ("smokes=yes & smokes=yes", (("smokes", "yes"),)),
        ("*", ()),
    ],
)
def test_terms_are_read(text: str, terms: tuple[tuple[str, str], ...]) -> None:
    assert parse(text, SCHEMA).terms == terms


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "smokes=yes & regon=north",
            "There is no attribute 'regon' (at character 14 of 'smokes=yes & regon=north'). "
            "Did you mean 'region'?",
        ),
        (
            "smokes=yse",
            "'smokes' has no value 'yse' (at character 8 of 'smokes=yse'). Did you mean 'yes'?",
        ),
        ("smokes", "Expected '=' after 'smokes' at character 7 of 'smokes'."),
        ("", "Expected an attribute at character 1 of ''."),
        ("smokes=", "Expected a value of 'smokes' at character 8 of 'smokes='."),
        ("smokes=yes &", "Expected an attribute at character 13"),
        ("smokes=yes and region=north", "Join terms by '&'."),
        ("smokes='yes", "The quote ' is not closed"),
        ("smokes='yes' region=north", "Did not understand 'region=north' at character 14"),
        ("smokes=yes & smokes=no", "'smokes' cannot be both 'yes' and 'no'"),
    ],
)
def test_an_error_points_at_the_word_and_says_what_to_do(text: str, sentence: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(text, SCHEMA)
    assert sentence in str(error.value)


def test_mappings_and_conjunctions_are_checked_too() -> None:
    assert conjunction({"smokes": "yes"}, SCHEMA) == Conjunction.of(smokes="yes")
    with pytest.raises(SchemaError, match="no value"):
        conjunction({"smokes": "maybe"}, SCHEMA)
    assert conjunction({"smokes": "yes"}, SCHEMA) == Conjunction.of(smokes="yes")
    with pytest.raises(ExpressionError, match="3 is no conjunction"):
        conjunction(3, SCHEMA)  # type: ignore[arg-type]
    with pytest.raises(ExpressionError, match="cannot be both"):
        conjunction(Conjunction.of(smokes="yes") & Conjunction.of(smokes="no"), SCHEMA)


def test_a_family_is_compiled_into_codes_over_the_columns_in_use() -> None:
    family = Family.of(["region=west", "smokes=yes & region=north", "*"], SCHEMA)
    assert family.columns == ("smokes", "region")
    np.testing.assert_array_equal(family.codes, [[ANY, 2], [1, 0], [ANY, ANY]])


def test_a_table_lists_every_cell_with_the_last_attribute_fastest() -> None:
    family = Family.table(["smokes", "region"], SCHEMA)
    assert family.codes.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]


def test_a_family_is_recoded_for_values_in_another_order() -> None:
    other = Schema((Attribute("region", ("west", "north", "south")), *SCHEMA.attributes[:1]))
    family = Family.of(["region=west", "smokes=yes"], SCHEMA).recoded(SCHEMA, other)
    np.testing.assert_array_equal(family.codes, [[ANY, 0], [1, ANY]])


def test_rules_are_read_with_quotes() -> None:
    schema = Schema.of({"a => b": ["p: q", "=>"], "c": ["0", "1"]})
    rule = Implication.parse("\"a => b\"='=>' & c=1 => \"a => b\"='p: q': 0.25", schema)
    assert rule.premise.terms == (("a => b", "=>"), ("c", "1"))
    assert (rule.attribute, rule.value, rule.confidence) == ("a => b", "p: q", 0.25)


def test_sides_of_a_rule_that_are_printed_are_read_as_its_sides() -> None:
    schema = Schema.of({"a => b": ["p: q", "x => y"], "c": ["=>", "1"]})
    sides = ({"a => b": "x => y"}, ("c", "=>")), ({"c": "=>"}, ("a => b", "p: q"))
    for premise, (name, value) in sides:
        text = f"{Conjunction.of(premise)} => {Conjunction.of({name: value})}: 0.5"
        rule = Implication.parse(text, schema)
        assert (rule.premise, rule.attribute, rule.value) == (Conjunction.of(premise), name, value)


ODD = Schema.of(
    {
        "a = b": ["no", "x=y", "p & q"],
        "tea & milk": ["a, b", "it's", '5" pipe', '"all"', "back\\slash\\"],
        " padded ": ["x|y", " z ", "*"],
        "größe": ["Übergröße", "süß & sauer", "日本"],
        "a => b": ["p: q", "c=>d"],
    }
)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("a = b=no", '"a = b"=no'),
        ("tea & milk=a, b", '"tea & milk"=a, b'),
        ("tea & milk=it's & größe=süß & sauer", '"tea & milk"=it\'s & größe="süß & sauer"'),
        ("'tea & milk'='it's'", '"tea & milk"=it\'s'),
        ('"tea & milk"="5" pipe"', '"tea & milk"=5" pipe'),
        ('"tea & milk"="all"', '"tea & milk"="\\"all\\""'),
        ('größe="süß & sauer', 'größe="süß & sauer"'),
        ("größe==日本", "größe=日本"),
        ("größe=U\u0308bergröße", "größe=Übergröße"),  # written with combining dots
        ("padded=x|y, größe=日本", '" padded "=x|y & größe=日本'),
        ("padded= z ", '" padded "=" z "'),
        ('" padded "=x|y | a => b=c=>d', '" padded "=x|y & "a => b"="c=>d"'),
        ('"a => b=c=>d" and größe=日本', '"a => b"="c=>d" & größe=日本'),
        ("größe=日本 && \" padded \"='*'", 'größe=日本 & " padded "="*"'),
    ],
)
def test_badly_quoted_text_is_answered_by_what_it_was_to_be(wrong: str, right: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(wrong, ODD)
    assert error.value.hint.endswith(f": {shlex.quote(right)}")
    assert str(parse(right, ODD)) == right


@pytest.mark.parametrize(
    "text", ["größer=日本", "größe=", "größe", "= & =", "größe=日本 & größe=Übergröße"]
)
def test_what_cannot_be_guessed_is_not(text: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(text, ODD)
    assert "Here:" not in str(error.value)
    assert "Quote what" not in str(error.value)


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, unique=True)), min_size=1, max_size=4))
def test_a_guess_is_made_of_what_the_schema_lists(domains: list[tuple[str, list[str]]]) -> None:
    by_name = dict(domains)
    schema = Schema.of(by_name)
    bare = " & ".join(f"{name}={values[0]}" for name, values in by_name.items())
    for name, value in meant_terms(bare, schema):
        assert value in by_name[name]
    try:
        found = parse(bare, schema).terms
    except ExpressionError:
        return
    assert all(value in by_name[name] for name, value in found)


def test_a_long_text_is_guessed_at_quickly() -> None:
    schema = Schema.of({"a": ["x", "x & a=x"], "b": ["y"]})
    for many in (80, 100_000):
        assert not meant_terms("a=x & " * many + "b", schema)
        with pytest.raises(ExpressionError, match="Expected '=' after 'b'"):
            parse("a=x & " * many + "b", schema)


def test_items_are_named_by_item_or_attribute_whatever_they_are_called() -> None:
    assert items_named('"tea & milk"="it\'s"', ODD) == (("tea & milk", "it's"),)
    for written in ('"tea & milk"', "tea & milk"):
        assert [value for _, value in items_named(written, ODD)] == list(ODD["tea & milk"].values)
    # What reads as an item is one, even if there is an attribute of that name.
    both = Schema.of({"a": ["b", "c"], "a=b": ["no", "yes"]})
    assert items_named("a=b", both) == (("a", "b"),)
    assert items_named('"a=b"', both) == (("a=b", "no"), ("a=b", "yes"))
    with pytest.raises(ExpressionError, match="Did you mean 'größe'"):
        items_named("grösse", ODD)
