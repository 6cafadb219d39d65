"""A content security policy for a built site: its inline scripts by their hashes, nothing of other origins.

One policy for all pages, since Material's instant navigation keeps the first page's policy and runs the scripts of the
next. It stands in a meta element, so that any static host serves it. A worker takes its policy from the host's headers;
what a program must not reach there is taken from it by the runtime.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

RUN = {"", "module", "text/javascript", "application/javascript"}
MARK = "Content-Security-Policy"
RULES = (
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'{hashes}",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
)


def apply(site: Path) -> str:
    """Write the policy into every page below a folder, in place of one written before, and return it."""
    pages = {path: path.read_bytes().decode("utf-8") for path in sorted(site.rglob("*.html"))}
    policy = policy_of(script for text in pages.values() for script in inline_scripts(text))
    for path, text in pages.items():
        fresh = with_policy(text, policy)
        if fresh != text:
            path.write_bytes(fresh.encode())
    return policy


def policy_of(scripts: Iterable[str]) -> str:
    """The policy that lets exactly these inline scripts run."""
    hashes = "".join(f" '{each}'" for each in sorted({digest(script) for script in scripts}))
    return "; ".join(RULES).replace("{hashes}", hashes)


def digest(script: str) -> str:
    """The hash of a script as the policy names it; browsers make line ends alike before they hash."""
    script = script.replace("\r\n", "\n").replace("\r", "\n")
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def inline_scripts(text: str) -> list[str]:
    """The texts of a page's scripts that have no address and are no data."""
    parser = Scripts()
    parser.feed(text)
    parser.close()
    return parser.found


def with_policy(text: str, policy: str) -> str:
    """The page with the policy as the first thing after its character set."""
    parser = Places()
    parser.feed(text)
    meta = f'<meta http-equiv="{MARK}" content="{html.escape(policy)}">'
    lines = text.split("\n")
    if parser.old:
        line, column, raw = parser.old
        lines[line - 1] = lines[line - 1][:column] + meta + lines[line - 1][column + len(raw) :]
    elif parser.start:
        line, column, raw = parser.start
        end = column + len(raw)
        lines[line - 1] = lines[line - 1][:end] + meta + lines[line - 1][end:]
    return "\n".join(lines)


class Scripts(HTMLParser):
    """Gathers inline scripts."""

    def __init__(self) -> None:
        """None yet."""
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A script without an address begins to be gathered."""
        values = dict(attrs)
        self._inside = tag == "script" and "src" not in values and (values.get("type") or "").lower() in RUN
        if self._inside:
            self.found.append("")

    def handle_data(self, data: str) -> None:
        """A piece of the script."""
        if self._inside:
            self.found[-1] += data

    def handle_endtag(self, tag: str) -> None:
        """The script is over."""
        self._inside = self._inside and tag != "script"


class Places(HTMLParser):
    """Finds where a page's policy stands, or where it could: (line, column, text of the tag)."""

    def __init__(self) -> None:
        """None found yet."""
        super().__init__()
        self.old: tuple[int, int, str] | None = None
        self.start: tuple[int, int, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The character set comes first, as browsers want it within the first kilobyte; else the head."""
        values, place = dict(attrs), (*self.getpos(), self.get_starttag_text() or "")
        if tag == "meta" and values.get("http-equiv") == MARK:
            self.old = place
        elif tag == "head" or (tag == "meta" and "charset" in values):
            self.start = place
