"""What went wrong between two parties, in one sentence each."""

import os
import re
import socket
import ssl

from deniable.base.errors import PeerError
from deniable.collab.wire.identity import Certificate, Identity, Peer, spoken

NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG")
OTHER_TLS = ("UNSUPPORTED_PROTOCOL", "ALERT_PROTOCOL_VERSION")
OUR_CERTIFICATE = re.compile(r"ALERT.*(CERTIFICATE|UNKNOWN_CA|DECRYPT_ERROR|ACCESS_DENIED)")


class PeerRefusedError(PeerError):
    """A peer that is not the one, or takes us for somebody else; trying again does not help."""


def address(peer: Peer) -> str:
    """Where a peer listens."""
    return f"[{peer.host}]:{peer.port}" if ":" in peer.host else f"{peer.host}:{peer.port}"


def unreachable(peer: Peer, error: OSError, timeout: float) -> PeerError:
    """No connection."""
    if isinstance(error, socket.gaierror):
        return PeerError(
            f"The address of {peer.name}, {peer.host}, is not known here.",
            hint="Check it in the party file.",
        )
    if isinstance(error, ConnectionRefusedError):
        return PeerError(
            f"Nothing listens at {address(peer)}, where {peer.name} should be.",
            hint=f"Ask {peer.name} to run deniable party serve, and check the address.",
        )
    if isinstance(error, TimeoutError):
        return silent(peer, timeout)
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return PeerError(
        f"{peer.name} cannot be reached at {address(peer)}: {reason}.",
        hint="Check the address, and the network.",
    )


def own_server_away(peer: Peer) -> PeerError:
    """A command looks for the server of its own party: it tosses the coin, and may come to lead."""
    return PeerError(
        f"{peer.name} itself does not serve at {address(peer)}, and where the leader is drawn, "
        "every party must.",
        hint=f"Run deniable party serve with the party file of {peer.name} here, in another "
        "window, and then this again.",
    )


def silent(peer: Peer, timeout: float) -> PeerError:
    """Nothing came, in all the time there was."""
    return PeerError(
        f"{peer.name} did not answer at {address(peer)} within {timeout:g} s.",
        hint="Check the address, and the firewalls on both sides.",
    )


def too_slow(peer: Peer, seconds: float) -> PeerError:
    """It said that it was working, and said so until nobody waited any more."""
    return PeerRefusedError(
        f"{peer.name} worked on one answer for {seconds:,.0f} s, and none came.",
        hint=f"Ask {peer.name} what it is doing; --longest-answer gives it more time.",
    )


def lost(peer: Peer) -> PeerError:
    """There was a connection."""
    return PeerError(
        f"The connection to {peer.name} was lost.", hint="Run it again: it goes on where it was."
    )


def not_pinned(peer: Peer, known: Certificate, seen: Certificate | None) -> PeerError:
    """We refuse their certificate."""
    if seen is not None and seen.fingerprint == known.fingerprint:
        return _out_of_date(peer, known)
    looks = "" if seen is None else f", seen is {spoken(seen.fingerprint)}"
    return PeerRefusedError(
        f"The certificate at {address(peer)} is not the one pinned for {peer.name}: pinned is "
        f"{spoken(known.fingerprint)}{looks}.",
        hint=f"Nothing was sent. Ask {peer.name} by phone before you trust it.",
    )


def _out_of_date(peer: Peer, known: Certificate) -> PeerError:
    if known.days_left < 0:
        return PeerRefusedError(
            f"The certificate of {peer.name} expired on {known.ends:%Y-%m-%d}.",
            hint="Ask for a new one (deniable party init), and pin that.",
        )
    return PeerRefusedError(
        f"The certificate of {peer.name} is not valid before {known.begins:%Y-%m-%d}.",
        hint="Check the clock of this machine.",
    )


def about_tls(peer: Peer, identity: Identity, error: ssl.SSLError) -> PeerError:
    """TLS failed, but not because we refuse their certificate."""
    reason = error.reason or ""
    if reason.endswith(NO_TLS):
        return PeerRefusedError(
            f"What listens at {address(peer)} does not speak TLS, so it is not {peer.name}.",
            hint="Check the port in the party file.",
        )
    if reason.endswith(OTHER_TLS):
        return PeerRefusedError(
            f"What listens at {address(peer)} does not speak TLS 1.3, so it is not {peer.name}.",
            hint="Check the port in the party file, and what stands between the two of you.",
        )
    if OUR_CERTIFICATE.search(reason):
        return _we_are_refused(peer, identity, expired="EXPIRED" in reason)
    return lost(peer)


def _we_are_refused(peer: Peer, identity: Identity, *, expired: bool) -> PeerError:
    ours = identity.certificate
    if expired:
        return PeerRefusedError(
            f"{peer.name} refuses our certificate: it expired on {ours.ends:%Y-%m-%d}.",
            hint="Make a new one (deniable party init, a new folder), and have it pinned there.",
        )
    return PeerRefusedError(
        f"{peer.name} does not know our certificate, {spoken(ours.fingerprint)}.",
        hint=f"Send it to {peer.name}, to be pinned there under peers; then serve again.",
    )


def refusal_reason(error: OSError) -> str:
    """Why a handshake of somebody who came did not end well."""
    match error:
        case ssl.SSLCertVerificationError():
            return error.verify_message
        case ssl.SSLError():
            return (error.reason or "no TLS").lower().replace("_", " ")
        case TimeoutError():
            return "it was silent for too long"
    return "it hung up"


def port_reason(error: OSError | OverflowError) -> str:
    """What the system says; Python's own words repeat the address."""
    if isinstance(error, socket.gaierror) or not isinstance(error, OSError) or not error.errno:
        return str(getattr(error, "strerror", error))
    return os.strerror(error.errno).lower()
