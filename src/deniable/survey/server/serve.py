"""Serves a survey until it is told to stop."""

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from ssl import SSLContext
from threading import Thread
from typing import Any, cast

import uvicorn

from deniable.base.errors import DataError
from deniable.survey.server.app import create
from deniable.survey.server.limited_connection import LimitedConnection
from deniable.survey.server.open_connections import (
    SHARE_OF_ONE,
    OpenConnections,
    allow_files,
    room_for_connections,
)
from deniable.survey.server.tls_handshake import Handshake
from deniable.survey.store.store import Store

BACKLOG = 2048
SWITCH = 0.0005
RARELY = (2_000, 10, 50)
"""How seldom garbage is looked for: among thousands of connections, each look stops everybody."""

STOP_PATIENCE = 10
"""Seconds that requests may take to end once the server is told to stop."""

LOOPBACK = ("127.0.0.0/8", "::1")
"""This machine, where a proxy that is believed must run."""


def listening(host: str, port: int) -> socket.socket:
    """Open the port, so that one that is taken is noticed before anything else happens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except (OSError, OverflowError) as error:
        opened.close()
        raise DataError(
            f"Port {port} of {host} cannot be opened: {getattr(error, 'strerror', error)}.",
            hint="Choose another by --port, or 0 for any that is free.",
        ) from None
    return opened


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def server(
    store: Store,
    *,
    behind_proxy: bool = False,
    certificate: Path | None = None,
    key: Path | None = None,
) -> uvicorn.Server:
    """Make a server without an access log: it would tell when which address answered."""
    most = room_for_connections()
    others = OpenConnections(most, None if behind_proxy else most // SHARE_OF_ONE)
    config = uvicorn.Config(
        create(store),
        http=cast("type[asyncio.Protocol]", partial(LimitedConnection, others=others)),
        access_log=False,
        log_level="error",  # what is odd about a request is the visitor's own affair
        ws="none",
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=STOP_PATIENCE,
        # Whoever connects could write these headers; and no variable of the system decides.
        proxy_headers=behind_proxy,
        forwarded_allow_ips=list(LOOPBACK) if behind_proxy else [],
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    return _Server(config, others)


class _Server(uvicorn.Server):
    """Has handshakes among the connections, too."""

    def __init__(self, config: uvicorn.Config, others: OpenConnections) -> None:
        super().__init__(config)
        self._others = others

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        loop: Any = asyncio.get_running_loop()
        listen, others = loop.create_server, self._others

        def create_server(
            then: Callable[[], asyncio.Protocol], *, ssl: SSLContext | None, **named: Any
        ) -> Awaitable[Any]:
            made = then if ssl is None else partial(Handshake, then, ssl, others)
            return cast("Awaitable[Any]", listen(made, **named))

        loop.create_server = create_server
        await super().startup(sockets)


def run(
    store: Store,
    port: socket.socket,
    *,
    behind_proxy: bool = False,
    certificate: Path | None = None,
    key: Path | None = None,
) -> None:
    """Serve until a signal comes; then answer what was asked, commit and end."""
    allow_files()
    # The thread that writes gives way at every call of the database; each time, it would wait this
    # long (5 ms at first) for the thread that reads.
    sys.setswitchinterval(SWITCH)
    running = server(store, behind_proxy=behind_proxy, certificate=certificate, key=key)
    gc.collect()
    gc.freeze()  # what is there now stays: looking through it again would stop everybody for 90 ms
    gc.set_threshold(*RARELY)
    try:
        running.run(sockets=[port])
    except (KeyboardInterrupt, SystemExit):
        if not running.started:
            raise
        # Otherwise a signal came, and this is how it is meant to end.
    finally:
        port.close()
        store.database.tidy()
        store.database.close()


@contextlib.contextmanager
def in_background(
    store: Store, port: socket.socket, *, behind_proxy: bool = False
) -> Iterator[None]:
    """Serve while something else is done, in the same process."""
    running = server(store, behind_proxy=behind_proxy)
    thread = Thread(target=running.run, kwargs={"sockets": [port]}, daemon=True)
    thread.start()
    try:
        while not running.started and thread.is_alive():
            thread.join(0.01)
        yield
    finally:
        running.should_exit = True
        thread.join()
        port.close()
