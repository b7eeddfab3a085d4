"""Fingerprints: what tells a document or a file from all others, in 64 hexadecimal digits.

They stand in files, ledgers and links of others, so none may ever change.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any


def digest_of(content: bytes | str | Iterable[bytes]) -> str:
    """Hash bytes, also such as come piece by piece, or text in UTF-8.

    >>> digest_of("deniable")[:16], digest_of([b"deni", b"able"])[:16]
    ('370ea24fc244e41b', '370ea24fc244e41b')
    """
    whole = content.encode() if isinstance(content, str) else content
    digest = hashlib.sha256()
    for piece in [whole] if isinstance(whole, bytes) else whole:
        digest.update(piece)
    return digest.hexdigest()


def digest_of_json(document: Any, *, spaced: bool = False, ascii_only: bool = True) -> str:
    """Hash a document, however its keys are ordered.

    >>> digest_of_json({"a": "1", "b": "2"}) == digest_of_json({"b": "2", "a": "1"})
    True
    """
    return digest_of(canonical_json(document, spaced=spaced, ascii_only=ascii_only))


def canonical_json(document: Any, *, spaced: bool = False, ascii_only: bool = True) -> bytes:
    """Write a document in the one way in which it is hashed.

    Designs and terms were spaced, and ledgers not all in ASCII, from the first on.
    """
    return json.dumps(
        document,
        sort_keys=True,
        separators=None if spaced else (",", ":"),
        ensure_ascii=ascii_only,
        allow_nan=False,
    ).encode()
