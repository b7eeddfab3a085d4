"""Who a party is: a key of its own, and a certificate that others pin.

There is no authority. Two people read a certificate's fingerprint to each other, and from then on
that certificate, and no other, is the party: neither a name nor a signature stands in for it.
"""

import re
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from deniable.base.errors import CollabError, shortened
from deniable.base.files import sync, whole_folder
from deniable.base.fingerprint import digest_of
from deniable.collab.party_documents import DRAWN, NAME

KEY, CERTIFICATE = "key.pem", "certificate.pem"
DAYS = 730

CERTIFICATE_PRINT = re.compile(r"[0-9a-f]{64}")

CLOCK_SLACK = timedelta(days=1)
"""A certificate holds from a day ago: the other side's clock may be behind."""


@dataclass(frozen=True)
class Certificate:
    """What a certificate says, and its fingerprint."""

    name: str
    fingerprint: str
    begins: datetime
    ends: datetime

    @property
    def days_left(self) -> int:
        """Whole days until it expires; negative once it has."""
        return (self.ends - datetime.now(UTC)).days

    @classmethod
    def load(cls, path: Path) -> "Certificate":
        """Read a PEM file that holds one certificate."""
        try:
            found = x509.load_pem_x509_certificates(path.read_bytes())
        except OSError as error:
            raise CollabError(
                f"The certificate {path} cannot be read: {error.strerror}.",
                hint="It is the certificate.pem that the other party's `deniable party init` made.",
            ) from None
        except ValueError:
            found = []
        if len(found) != 1:
            raise CollabError(
                f"{path} does not hold one certificate.", hint="Ask for its certificate.pem again."
            )
        return cls.of(found[0].public_bytes(serialization.Encoding.DER))

    @classmethod
    def of(cls, der: bytes) -> "Certificate":
        """Read a certificate as it travels."""
        found = x509.load_der_x509_certificate(der)
        names = found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        return cls(
            str(names[0].value) if names else "",
            digest_of(der),
            found.not_valid_before_utc,
            found.not_valid_after_utc,
        )


@dataclass(frozen=True)
class Peer:
    """Another organisation: where it listens, and the certificate that proves who it is."""

    name: str
    host: str
    port: int
    certificate: Path
    fingerprint: str
    """64 hexadecimal digits."""


@dataclass(frozen=True)
class Identity:
    """The folder of a party's key and certificate."""

    folder: Path
    certificate: Certificate

    @property
    def name(self) -> str:
        """The party's name, as its certificate has it."""
        return self.certificate.name

    @property
    def fingerprint(self) -> str:
        """The certificate's SHA-256, in 64 hexadecimal digits."""
        return self.certificate.fingerprint

    @classmethod
    def load(cls, folder: Path) -> "Identity":
        """Read an identity; a key that is not its certificate's is refused."""
        if not (folder / KEY).exists():
            raise CollabError(
                f"There is no {KEY} in {folder}.", hint="Make one: deniable party init NAME."
            )
        found = cls(folder, Certificate.load(folder / CERTIFICATE))
        found.put_into(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        return found

    def put_into(self, context: ssl.SSLContext) -> None:
        """Let a TLS context prove this identity."""
        try:
            # An empty password: a key that needs one is refused, and not asked about on a terminal.
            context.load_cert_chain(self.folder / CERTIFICATE, self.folder / KEY, password="")
        except ssl.SSLError:
            raise CollabError(
                f"{KEY} is not the key of {CERTIFICATE} in {self.folder}.",
                hint="Put back the two files that `deniable party init` made together.",
            ) from None
        except OSError as error:
            raise CollabError(
                f"{self.folder / KEY} cannot be read: {error.strerror}.",
                hint="Only its owner may read it; run this as the same user as `party init`.",
            ) from None


def make(folder: Path, name: str, days: int = DAYS) -> Identity:
    """Make a key and its certificate; they appear together, and never in place of others."""
    if not NAME.fullmatch(name) or name == DRAWN:
        raise CollabError(
            f"A party cannot be called {shortened(name)}.",
            hint="Use another name, of up to 63 letters of the English alphabet, digits, - and _.",
        )
    if (folder / KEY).exists():
        raise CollabError(
            f"{folder / KEY} exists already, and a new key would make you a stranger to everybody.",
            hint="Keep it, or name a new folder by --folder.",
        )
    if folder.is_dir() and any(folder.iterdir()):
        raise CollabError(f"{folder} is not empty.", hint="Name a new folder by --folder.")
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    certificate = self_signed(key, name, now - CLOCK_SLACK, now + timedelta(days=days))
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    with whole_folder(folder) as temporary:
        temporary.chmod(0o700)
        (temporary / KEY).touch(0o600)
        (temporary / KEY).write_bytes(secret)
        (temporary / CERTIFICATE).write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        sync(temporary / KEY)
        sync(temporary / CERTIFICATE)
    return Identity.load(folder)


def self_signed(
    key: ec.EllipticCurvePrivateKey, name: str, begins: datetime, ends: datetime
) -> x509.Certificate:
    """Certify a key by itself. It is no authority: it can vouch for nobody else."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(both, critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )


def spoken(fingerprint: str) -> str:
    """Write a fingerprint in groups of four, to be read to somebody.

    >>> spoken("0123456789abcdef")
    '0123 4567 89ab cdef'
    """
    return " ".join(fingerprint[i : i + 4] for i in range(0, len(fingerprint), 4))


def heard(text: str) -> str:
    """Read a fingerprint as people write it: in groups, with colons, in capitals.

    >>> heard("AB:CD " * 16) == "abcd" * 16
    True
    """
    plain = re.sub(r"[\s:]", "", text).lower()
    if not CERTIFICATE_PRINT.fullmatch(plain):
        raise CollabError(
            f"{shortened(text)} is not a fingerprint: those have 64 digits from 0 to 9 and a to f.",
            hint="Copy what `deniable party init` showed the other party.",
        )
    return plain
