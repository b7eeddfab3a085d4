"""Mutual TLS 1.3 in which exactly the pinned certificates are trusted.

OpenSSL checks that the other side holds the key of a pinned certificate, and that it has not
expired. The fingerprint is compared once more after the handshake: it says which peer this is, and
it would also refuse what a pinned key signed for somebody else.
"""

import socket
import ssl
from collections.abc import Iterable

from deniable.base.errors import CollabError
from deniable.base.fingerprint import digest_of
from deniable.collab.wire.identity import Certificate, Identity, Peer, heard, spoken


def server_context(identity: Identity, peers: Iterable[Peer]) -> ssl.SSLContext:
    """Listen as a party: whoever connects must be one of the peers."""
    context = _context(ssl.PROTOCOL_TLS_SERVER, identity, peers)
    # No session is taken up again: each connection proves anew who it is, and when it expires.
    context.num_tickets = 0
    context.options |= ssl.OP_NO_TICKET
    return context


def client_context(identity: Identity, peer: Peer) -> ssl.SSLContext:
    """Connect as a party: whoever listens must be this one peer."""
    return _context(ssl.PROTOCOL_TLS_CLIENT, identity, [peer])


def pinned(peer: Peer) -> Certificate:
    """A peer's certificate; its file must be the one whose fingerprint was agreed."""
    found = Certificate.load(peer.certificate)
    agreed = heard(peer.fingerprint)
    if found.fingerprint != agreed:
        raise CollabError(
            f"{peer.certificate.name} does not have the fingerprint given for {peer.name}: it has "
            f"{spoken(found.fingerprint)}, not {spoken(agreed)}.",
            hint=f"Ask {peer.name} by phone which is right.",
        )
    return found


def names(peers: Iterable[Peer]) -> dict[str, str]:
    """Which peer a fingerprint is; two peers cannot be one."""
    known: dict[str, str] = {}
    for peer in peers:
        other = known.setdefault(pinned(peer).fingerprint, peer.name)
        if other != peer.name:
            raise CollabError(
                f"{other} and {peer.name} have the same certificate.",
                hint="Every party makes its own: deniable party init NAME.",
            )
    return known


def fingerprint_at(connection: ssl.SSLSocket) -> str:
    """The fingerprint of whoever is at the other end."""
    der = connection.getpeercert(binary_form=True)
    assert der is not None  # CERT_REQUIRED
    return digest_of(der)


def certificate_seen(connected: socket.socket, timeout: float) -> Certificate:
    """Look at the certificate of whoever listens, trusting nobody and saying nothing."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    connected.settimeout(timeout)
    with connected, context.wrap_socket(connected) as secure:
        der = secure.getpeercert(binary_form=True)
    assert der is not None  # every server has one
    return Certificate.of(der)


def _context(protocol: int, identity: Identity, peers: Iterable[Peer]) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # an address may change; the certificate is the peer
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    identity.put_into(context)
    for peer in peers:
        pinned(peer)
        context.load_verify_locations(peer.certificate)
    return context
