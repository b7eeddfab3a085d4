"""Parties for tests of the wire: identities of every kind, and who pins whom."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from deniable.collab.wire.identity import CERTIFICATE, KEY, Identity, Peer, make, self_signed


def pin(identity: Identity, port: int, name: str = "", host: str = "127.0.0.1") -> Peer:
    """An identity as another party lists it."""
    certificate = identity.folder / CERTIFICATE
    return Peer(name or identity.name, host, port, certificate, identity.fingerprint)


def made(folder: Path, name: str) -> Identity:
    """An identity, made once."""
    return Identity.load(folder / name) if (folder / name).exists() else make(folder / name, name)


def dated(folder: Path, name: str, begins: timedelta, ends: timedelta) -> Identity:
    """An identity that was valid at another time."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    return _written(folder, key, self_signed(key, name, now + begins, now + ends))


def vouched_for(folder: Path, name: str, by: Identity) -> Identity:
    """An identity that a pinned party signed, though it is no authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    signer = serialization.load_pem_private_key((by.folder / KEY).read_bytes(), None)
    assert isinstance(signer, ec.EllipticCurvePrivateKey)
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, by.name)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(signer, hashes.SHA256())
    )
    found = _written(folder, key, certificate)
    with (found.folder / CERTIFICATE).open("ab") as chain:  # a chain, as a server sends it
        chain.write((by.folder / CERTIFICATE).read_bytes())
    return found


def _written(
    folder: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate
) -> Identity:
    folder.mkdir()
    pem = serialization.Encoding.PEM
    (folder / CERTIFICATE).write_bytes(certificate.public_bytes(pem))
    plain = serialization.NoEncryption()
    (folder / KEY).write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return Identity.load(folder)
