"""A loopback web server over a folder: what a browser needs to run the assets, and nothing more."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

# A program in the page can reach this server and no other, and text never becomes code.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'"
)


class _Handler(SimpleHTTPRequestHandler):
    # The machine's own table may be wrong or empty, and a module script is refused under any other type.
    extensions_map = {  # noqa: RUF012 - the base class declares it so
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".css": "text/css",
        ".json": "application/json",
        ".wasm": "application/wasm",
        ".zip": "application/zip",
        ".html": "text/html; charset=utf-8",
        ".svg": "image/svg+xml",
    }

    def __init__(self, *arguments: Any, served: Served, **named: Any) -> None:
        self.served = served
        super().__init__(*arguments, directory=str(served.folder), **named)

    def handle(self) -> None:
        """Answer what is asked; a client that went away in the middle of an answer is no error."""
        with suppress(BrokenPipeError, ConnectionResetError):
            super().handle()

    def do_GET(self) -> None:
        """Serve a page of the server's own, or a file below the prefix."""
        path = self.path.partition("?")[0]
        page = self.served.pages.get(path)
        if page is not None:
            self._send_page(page)
        elif path.startswith(self.served.prefix):
            self.path = self.path[len(self.served.prefix) - 1 :]
            super().do_GET()
        else:
            self.send_error(404)

    def _send_page(self, page: str) -> None:
        data = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def end_headers(self) -> None:
        """Add what every answer carries."""
        if self.served.policy:
            self.send_header("Content-Security-Policy", self.served.policy)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to the command."""


class Served:
    """A folder served below `prefix` at http://127.0.0.1:<a free port>, for the time of a `with`.

    `pages` are documents of the server's own: path to HTML. `policy` is sent with every answer; a page of the theme's
    needs another one than POLICY, for its inline scripts, and None sends none.
    """

    def __init__(
        self,
        folder: Path,
        *,
        prefix: str = "/",
        pages: Mapping[str, str] | None = None,
        policy: str | None = POLICY,
    ) -> None:
        """Nothing is served before the `with`; the port is taken at once."""
        self.folder, self.prefix, self.pages, self.policy = folder, prefix, dict(pages or {}), policy
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, served=self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:<port>`, without a slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Served:
        """Start to serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and free the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
