"""The loopback server, when its client does not wait for the answer."""

from __future__ import annotations

import socket
from pathlib import Path

from tracepane.check.server import Served


def test_a_client_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """It asks for a file and leaves: the answer that nobody takes is dropped without a word."""
    (tmp_path / "large.bin").write_bytes(bytes(1 << 20))
    here, there = socket.socketpair()
    there.sendall(b"GET /large.bin HTTP/1.0\r\n\r\n")
    there.close()
    with here, Served(tmp_path) as served:
        served._server.finish_request(here, ("127.0.0.1", 0))
