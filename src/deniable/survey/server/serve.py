"""Serves a survey until it is told to stop."""

import contextlib
import gc
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import uvicorn

from deniable.base.errors import DataError
from deniable.survey.server.app import create
from deniable.survey.store.store import Store

BACKLOG = 2048
SWITCH = 0.0005
STOP_PATIENCE = 10
"""Seconds that requests may take to end once the server is told to stop."""


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


def server(
    store: Store, certificate: Path | None = None, key: Path | None = None
) -> uvicorn.Server:
    """Make a server without an access log: it would tell when which address answered."""
    return uvicorn.Server(
        uvicorn.Config(
            create(store),
            access_log=False,
            log_level="error",  # what is odd about a request is the visitor's own affair
            ws="none",
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=STOP_PATIENCE,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
    )


def allow_connections() -> None:
    """Take as many connections as the system allows, not as few as it is set to at first."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(store: Store, port: socket.socket, **tls: Path | None) -> None:
    """Serve until a signal comes; then answer what was asked, commit and end."""
    allow_connections()
    # The thread that writes gives way at every call of the database; each time, it would wait this
    # long (5 ms at first) for the thread that reads.
    sys.setswitchinterval(SWITCH)
    running = server(store, **tls)
    gc.collect()
    gc.freeze()  # what is there now stays: looking through it again would stop everybody for 90 ms
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
def in_background(store: Store, port: socket.socket) -> Iterator[None]:
    """Serve while something else is done, in the same process."""
    running = server(store)
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
