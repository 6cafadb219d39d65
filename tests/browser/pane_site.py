"""A small site in Material with panes made for the tests: what a reader meets, and the awkward things."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/some/repo"

WALK = '''"""A program for the tests of the pane."""

import json
import sys


def walk(numbers, start=0):
    """Add up, and leave traces everywhere."""
    total = start
    seen = {}
    for number in numbers:
        total = add(
            total,
            number,
        )
        seen[number] = [total]
        print("total", total)
    print("odd" if total % 2 else "even", file=sys.stderr)
    keep(seen)
    if total > 100:
        raise ValueError(f"{total} is too much")
    return total


def add(left, right):
    both = left + right  # a remark for which the line is so long that beside the diagram it is broken
    return both


def keep(seen):
    with open("rows.jsonl", "w") as rows:
        for key, value in seen.items():
            rows.write(json.dumps({"key": key, "value": value}) + "\\n")
    with open("raw.bin", "wb") as raw:
        raw.write(bytes(range(256)))
    with open("note.txt", "w") as note:
        note.write("first\\n")
    with open("note.txt", "a") as note:
        note.write("second\\n")
'''

PANES = """
walk:
  source: walk.py
  call: walk.call.py
  files: {given.txt: "as it came\\n"}
  scenarios:
    small: {label: {en: Small, zh: 小}, set: {numbers: [1, 2, 3]}}
    large: {label: {en: Too large, zh: 太大}, set: {numbers: [60, 70]}}
    none: {label: {en: Nothing, zh: 空}, set: {numbers: []}}
  flow:
    - {id: begin, text: {en: Begin, zh: 开始}, at: "total = start", to: [each]}
    - {id: each, text: {en: Add each, zh: 逐个相加}, at: {from: "total = add(", to: 'print("total"'}, to: [each, save]}
    - {id: save, text: {en: Save, zh: 保存}, at: {text: "keep(seen)", nth: 1}, to: [refuse, result]}
    - {id: refuse, text: {en: Refuse, zh: 拒绝}, at: "raise ValueError"}
    - {id: result, text: {en: Result, zh: 结果}, at: "return total"}
loop:
  source: loop.py
  scenarios:
    endless: {label: {en: Endless, zh: 无尽}}
    limited: {label: {en: Limited, zh: 有限}, limits: {steps: 5000}}
ask:
  source: ask.py
  stdin: {text: "", closed: false}
flood:
  source: flood.py
"""

FILES = {
    "walk.py": WALK,
    "walk.call.py": "import walk\n\nprint('result', walk.walk(numbers))\n",
    "loop.py": "n = 0\nwhile True:\n    n += 1\n",
    "ask.py": "name = input('name? ')\nprint('hello', name)\nagain = input('again? ')\nprint(name, again)\n",
    "flood.py": "n = 0\nwhile True:\n    n += 1\n    print('line', n)\n",
    "panes.yml": PANES,
}

PAGE = """# {title}

Some prose before the panes.

```tracepane
pane: panes.yml#{first}
```

Prose between them.

```tracepane
pane: panes.yml#{second}
```

[Next]({link})
"""

CONFIG = """
site_name: Panes
site_url: http://127.0.0.1/some/repo/
docs_dir: docs
site_dir: www
use_directory_urls: true
theme:
  name: material
  language: {language}
  font: false
  features: [navigation.instant]
  palette:
    - {{scheme: default, toggle: {{icon: material/brightness-7, name: Dark}}}}
    - {{scheme: slate, toggle: {{icon: material/brightness-4, name: Light}}}}
nav: [index.md, other.md, more.md]
exclude_docs: "*.py\\npanes.yml"
plugins: [search, tracepane]
"""


def build(folder: Path, language: str = "en", *, record: bool = True) -> None:
    """Write the site and build it into `www` there; with the native references if `record`."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (folder / "pyproject.toml").write_text("", "utf-8")
    (folder / "mkdocs.yml").write_text(CONFIG.format(language=language), "utf-8")
    for name, text in FILES.items():
        (docs / name).write_text(text, "utf-8")
    # What runs for long is on the site that records nothing while it is built.
    beside, last = ("walk", "ask") if record else ("loop", "flood")
    for name, first, second, link in [
        ("index", "walk", beside, "other.md"),
        ("other", "walk", last, "more.md"),
        ("more", last, "walk", "index.md"),
    ]:
        text = PAGE.format(title=name.title(), first=first, second=second, link=link)
        (docs / f"{name}.md").write_text(text, "utf-8")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet"],
        cwd=folder,
        env=os.environ | {"TRACEPANE_RECORD": "1" if record else "0", "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - the base class declares it so
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def do_GET(self) -> None:
        """Serve a file; the theme goes without loading only to addresses of the sitemap, which must have this port."""
        if not self.path.endswith("/sitemap.xml"):
            super().do_GET()
            return
        text = Path(self.translate_path(self.path)).read_text("utf-8")
        data = text.replace("http://127.0.0.1/", f"http://{self.headers['Host']}/").encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def translate_path(self, path: str) -> str:
        """Only what lies below the prefix is there."""
        below = path.removeprefix(PREFIX)
        return super().translate_path(below if below != path else "/nowhere")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Server:
    """Serves a built site below the prefix, for the time of a `with`."""

    def __init__(self, folder: Path) -> None:
        """The port is taken at once."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}{PREFIX}/"

    def __enter__(self) -> Server:
        """Begin to serve."""
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
