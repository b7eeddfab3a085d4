"""Models on disk: JSON with a schema and a version, never pickles."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from deniable.base.documents import bounded, strict_json
from deniable.base.errors import DataError, DeniableError, ModelError, nearest
from deniable.base.files import write_whole
from deniable.mine.model import FORMAT, MODEL_VERSION, Model
from deniable.mine.models.find_miner import find_miner, miner_names
from deniable.schema import Schema

MOST_MODEL_FILE = 1 << 28


def save_model(model: Model, path: str | Path) -> None:
    """Write a model as JSON; the file appears whole, or not at all."""
    write_whole(path, model_bytes(model))


def model_bytes(model: Model) -> bytes:
    """Write a model as it stands in files and goes to other parties."""
    try:
        return json.dumps(model.document(), ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except ValueError:  # of a miner that takes a refused count for a number
        raise ModelError(
            f"The model of kind {model.kind!r} holds what is no number.",
            hint="Its miner must leave out counts that are not told.",
        ) from None


def load_model(path: str | Path) -> Model:
    """Read a model of any kind, and say clearly what is wrong with a file that holds none."""
    try:
        document = strict_json(bounded(path, MOST_MODEL_FILE, "Name a model's file.").decode())
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.", hint="Check the name.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory.", hint="Name a model's file.") from None
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise DataError(f"{path} cannot be read: {reason}.") from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise ModelError(
            f"{path} is not JSON, so not a model.", hint="Write one by --out."
        ) from None
    except ValueError as wrong:  # JSON that no model is written as
        raise ModelError(f"{path} is damaged: {wrong}.", hint="Write one by --out.") from None
    return read_model(document, str(path))


def read_model(document: object, where: str) -> Model:
    """Read a model of any kind, and say clearly what is wrong with a document that is none."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise ModelError(f"{where} is not a model of deniable.", hint="Write one by --out.")
    if document.get("version") != MODEL_VERSION:
        raise ModelError(
            f"{where} is a model of version {document.get('version')!r}; this deniable reads "
            f"version {MODEL_VERSION}.",
            hint="Use the deniable that wrote it, or mine it again.",
        )
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in miner_names():
        raise ModelError(
            f"{where} holds a model of kind {kind!r}.", hint=nearest(str(kind), miner_names())
        )
    try:
        return find_miner(kind).model.read(Schema.of(document["schema"]), document)
    except DeniableError:
        raise
    except KeyError as error:
        wrong = f"it lacks {error}"
    except ValueError as error:  # most of them are the reader's own, in words
        wrong = str(error)
    except (TypeError, IndexError, AttributeError, OverflowError):
        wrong = "what it holds does not fit together"
    raise ModelError(f"{where} is a damaged model: {wrong}.", hint="Mine it again.")
