"""`deniable survey translate`: a file of the page's words, to be filled in."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DataError, SurveyError, shortened
from deniable.base.wording import plural
from deniable.cli.show.output import note
from deniable.cli.survey.survey_database import File

if TYPE_CHECKING:
    from deniable.survey.words.page_words import Words


def translate(
    file: File,
    language: Annotated[str, typer.Option(help="Its code, as fr or pt-BR.", metavar="CODE")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file to fill in.  [default: the survey's, or words-CODE.yaml beside it]",
            metavar="FILE.yaml",
        ),
    ] = None,
) -> None:
    """Write what the page says by itself to a file, to be filled in in another language.

    Each text stands below the English one, with what to know about it. What the survey brings, or
    what comes along, is filled in. Run again, it keeps all that was filled in, and adds what is
    new; only comments are written anew.
    """
    from deniable.base.documents import read_yaml
    from deniable.base.files import refuse_to_overwrite, write_whole
    from deniable.survey.questionnaire.languages import is_language
    from deniable.survey.words.translation_file import translation

    if not is_language(language):
        raise DataError(
            f"{shortened(language)} is no code of a language.", hint="Write en, de, pt-BR, …."
        )
    document = read_yaml(file, SurveyError)
    words = document.get("words") if isinstance(document, dict) else None
    brought = words.get(language) if isinstance(words, dict) else None
    named = brought if isinstance(brought, str) else f"words-{language}.yaml"
    path = out or file.parent / named
    refuse_to_overwrite(path, [file])
    kept = _kept(path) if path.exists() else brought if isinstance(brought, dict) else {}
    done = translation(language, kept)
    write_whole(path, done.text)
    empty = f"{done.empty} of them are empty" if done.empty else "none of them is empty"
    note(f"wrote {plural(done.sentences, 'sentence')} to {path}; {empty}")
    if done.unused:
        note(f"{plural(len(done.unused), 'sentence')} that the page no longer says: at its end")
    if brought != path.name:
        note(f"in {file} write words: {{{language}: {path.name}}}")


def _kept(path: Path) -> "Words":
    from deniable.base.documents import read_yaml

    found = read_yaml(path, SurveyError)
    if not isinstance(found, dict | None):
        raise SurveyError(
            f"{path} is there, and holds no words of the page.", hint="Name another file by --out."
        )
    return found or {}
