"""The peer: a handler that reads a body and commits one row, in the same database and settings."""

import json
import sqlite3
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


def app(path: str) -> Starlette:
    """Commit each body by itself, as simply as can be."""
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE rows (id TEXT PRIMARY KEY, report TEXT) WITHOUT ROWID")

    async def keep(request: Request) -> JSONResponse:
        body = json.loads(await request.body())
        database.execute("INSERT INTO rows VALUES (?, ?)", (body["id"], body["report"]))
        return JSONResponse({"kept": True})

    return Starlette(routes=[Route("/api/answers", keep, methods=["POST"])])


if __name__ == "__main__":
    uvicorn.run(app(sys.argv[1]), port=int(sys.argv[2]), access_log=False, log_level="error")
