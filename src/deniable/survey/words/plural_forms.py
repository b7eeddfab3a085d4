"""Which plural forms a language has for whole numbers: what a browser's Intl.PluralRules chooses.

From the Unicode CLDR; forms for fractions, or for millions only, are left out: nothing on the page
is counted so. A test compares the table with Node's.
"""

from collections.abc import Mapping

_LIKE_ENGLISH = ("one", "other")
"""Most languages; and the page counts so in those that a browser does not know."""

_LANGUAGES = {
    "other": (
        "adp bam bm bo bod bur chi cmn dz dzo hnj ibo id ig ii iii in ind ja jav jaw jbo jpn "
        "jv jw kde kea khm km ko kor lao lkt lo may ms msa my mya nqo osa sag sah ses sg su "
        "sun th tha tib to ton tpi vi vie wo wol yo yor yue zh zho zsm"
    ),
    "zero one two few many other": ("ar ara arb ars cor cy cym kw wel"),
    "one few many": ("be bel pl pol ru rus uk ukr"),
    "zero one other": ("blo chv cv ksh lag lav lv lvs prg"),
    "one few other": (
        "bos bs ces cnr cs cze hbs hr hrv lit lt mo mol ro ron rum scc scr sh shi sk slk slo sr srp"
    ),
    "one two few other": ("br bre dsb gd gla glv gv hsb sgs sl slv"),
    "one two few many other": ("ga gle mlt mt"),
    "one two other": ("he heb ike iku iu iw naq sat se sma sme smi smj smn sms"),
}

_FORMS: Mapping[str, tuple[str, ...]] = {
    language: tuple(forms.split())
    for forms, all_of in _LANGUAGES.items()
    for language in all_of.split()
}


def plural_forms(language: str) -> tuple[str, ...]:
    """Name the forms, in the order of CLDR.

    >>> plural_forms("en"), plural_forms("pl-PL"), plural_forms("ja")
    (('one', 'other'), ('one', 'few', 'many'), ('other',))
    """
    return _FORMS.get(language.split("-", maxsplit=1)[0], _LIKE_ENGLISH)
