"""A certificate of one's own, as surveys are served with in tests."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from deniable.collab.wire.identity import self_signed


def certified(folder: Path, name: str) -> tuple[Path, Path]:
    """Write a certificate for a host, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    made = self_signed(key, name, now - timedelta(days=1), now + timedelta(days=1))
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, secret
