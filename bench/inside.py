"""The same measurements in Pyodide, in a browser's worker: a fresh worker and a fresh interpreter for each.

Pyodide is npm's, compiled once, with the standard library as bytecode, which starts sooner and runs alike. What is
pure Python is unpacked into its file system, ours as the others.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.native import make_plan
from bench.peers import Peer
from bench.work import ROOT, Work
from tracepane import assets
from tracepane.check.browser import launch
from tracepane.check.server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

_PAGE = '<!doctype html><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,">'
_STATEMENT = (
    "import sys; sys.path[:0] = {path!r}; sys.argv = ['measure', '/tmp/bench/plan.json', '/tmp/bench']; "
    "from bench.recorders.measure import main; main()"
)
_MEASURE = """({ archives, plan, statement, limit }) => new Promise((settle) => {
    const worker = new Worker("/inside.js", { type: "module" });
    const end = (told) => { worker.terminate(); clearTimeout(timer); settle(told); };
    const timer = setTimeout(() => end({ failed: `took more than ${limit} s` }), limit * 1000);
    worker.onmessage = ({ data }) => end(data);
    worker.onerror = ({ message }) => end({ failed: message });
    worker.postMessage({ core: globalThis.core, archives, plan, statement });
})"""
# As a pane does: the code that the engine has made faster in one interpreter is there for the next.
_COMPILE = "async url => { globalThis.core = await WebAssembly.compileStreaming(fetch(url)); }"
LIMIT = 180  # seconds that one measurement may take


class Inside:
    """Measures in one page of one browser."""

    def __init__(self, page: Page, browser: str) -> None:
        """`browser` is its name and version."""
        self._page, self.browser = page, browser

    def measure(self, name: str, work: Work, peers: Iterable[Peer] = ()) -> dict[str, Any]:
        """`seconds`, and `memory`, the bytes of the interpreter's heap at the end; or `impossible` or `failed`."""
        names = ["code", "recorder", *(peer.name for peer in peers)]
        given = {
            "archives": [[each, f"/{each}.zip"] for each in names],
            "plan": json.dumps(make_plan(name, work, look=False)),
            "statement": _STATEMENT.format(path=[f"/bench/{each}" for each in names]),
            "limit": LIMIT,
        }
        told: dict[str, Any] = self._page.evaluate(_MEASURE, given)
        if "failed" in told:
            return told
        answer: dict[str, Any] = json.loads(told["answer"])
        if answer.get("end", {}).get("status", "finished") != "finished":
            return {"failed": f"our run did not finish: {answer['end']}"}
        return {key: answer[key] for key in ("seconds", "impossible") if key in answer} | {"memory": told["memory"]}


@contextlib.contextmanager
def opened(peers: Iterable[Peer], engine: str = "chromium") -> Iterator[Inside]:
    """A page from which measurements are made; `peers` are those that are pure Python."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as place, sync_playwright() as playwright:
        folder = Path(place)
        _lay(folder, peers)
        with Served(folder, pages={"/": _PAGE}, policy=None) as served:
            browser = launch(playwright, engine)
            page = browser.new_page()
            page.goto(f"{served.origin}/")
            page.evaluate(_COMPILE, "/pyodide/pyodide.asm.wasm")
            yield Inside(page, f"{engine} {browser.version}")
            browser.close()


def _lay(folder: Path, peers: Iterable[Peer]) -> None:
    """Everything that a worker asks for."""
    (folder / "pyodide").symlink_to(ROOT / "node_modules" / "pyodide")
    (folder / "stdlib.zip").symlink_to(assets.directory() / "stdlib.zip")
    shutil.copy(ROOT / "bench" / "inside.js", folder)
    (folder / "recorder.zip").write_bytes(assets.recorder_zip())
    code = [ROOT / "bench" / "__init__.py", *(ROOT / "bench" / "recorders").glob("*.py")]
    (folder / "code.zip").write_bytes(_zip(ROOT, code))
    for peer in peers:
        assert peer.folder is not None
        (folder / f"{peer.name}.zip").write_bytes(_zip(peer.folder, peer.folder.rglob("*.*")))


def _zip(root: Path, files: Iterable[Path]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                archive.write(file, file.relative_to(root))
    return held.getvalue()
