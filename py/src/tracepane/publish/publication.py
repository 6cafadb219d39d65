"""A site's panes on their way to the site: HTML for pages, a file of jobs for each pane, downloads, browser code."""

from __future__ import annotations

import functools
import hashlib
import json
import posixpath
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tracepane import assets
from tracepane.lesson.download import Download
from tracepane.lesson.mistake import Mistakes
from tracepane.lesson.page import Shown
from tracepane.lesson.pane import Pane
from tracepane.publish import download
from tracepane.publish.markup import Markup
from tracepane.publish.reference import References
from tracepane.publish.view import render

BELOW = "assets/tracepane"


class Publication:
    """Everything of Tracepane's that a site holds. Pages are rendered one by one; `write` puts the files beside them.

    `references` records or finds the native traces; without it panes are published without. `folder` is that of the
    built browser code, the package's own unless given. Raises assets.AssetsError where that has not been built.
    """

    def __init__(self, references: References | None = None, folder: Path | None = None) -> None:
        """An empty one; it may be filled and written again and again."""
        self.references = references
        self._folder = folder
        self.panes: dict[str, Pane] = {}
        self.downloads: dict[str, Download] = {}

    @functools.cached_property
    def folder(self) -> Path:
        """The folder of the built browser code."""
        return self._folder or assets.directory()

    @functools.cached_property
    def build(self) -> dict[str, Any]:
        """The contents of build.json."""
        described: dict[str, Any] = json.loads((self.folder / "build.json").read_text("utf-8"))
        return described

    @property
    def script(self) -> str:
        """The path of the script below the site, a module."""
        return f"{BELOW}/{self.build['build']}/pane.js"

    @property
    def style(self) -> str:
        """The path of the style sheet below the site."""
        return f"{BELOW}/{self.build['build']}/pane.css"

    def show(self, shown: Shown, url: str, id: str, language: str) -> Markup:
        """The HTML of a pane on the page at `url` (as in `guide/start/` or `guide.html`, from the site's root)."""
        self.panes[shown.pane.name] = shown.pane
        return render(shown.pane, relative(self.jobs_path(shown.pane), url), id, shown.scenario, language)

    def offer(self, files: Download, url: str, language: str) -> Markup:
        """The HTML of a download on the page at `url`."""
        path = f"{BELOW}/files/{files.name}-{files.digest}"
        self.downloads[path] = files
        return download.render(files, relative(path, url), language)

    def jobs_path(self, pane: Pane) -> str:
        """The path of a pane's jobs below the site; it changes with what is in it."""
        text = json.dumps([self.build["build"], list(pane.digests.values()), described(pane)], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{BELOW}/jobs/{pane.id}-{digest}.json"

    def write(self, site: Path, mistakes: Mistakes, progress: Callable[[str], None] = lambda _: None) -> None:
        """Write jobs, references and the browser code below the site; recording notes its own mistakes."""
        for count, pane in enumerate(self.panes.values(), 1):
            if self.references:
                progress(f"references of {pane.name} ({count} of {len(self.panes)})")
            self.write_jobs(pane, site, mistakes)
        for path, files in self.downloads.items():
            download.write(files, site / path)
        self.write_assets(site)

    def write_jobs(self, pane: Pane, site: Path, mistakes: Mistakes) -> None:
        """One pane's file of jobs, and the traces that it names."""
        scenarios = [
            {
                **each,
                "job": job,
                "digest": pane.digests[each["id"]],
                "reference": self.references and self.references.place(pane, each["id"], job, site / BELOW, mistakes),
            }
            for each, job in zip(described(pane)["scenarios"], pane.jobs().values(), strict=True)
        ]
        document = {
            "format": "tracepane-pane/1",
            "pane": pane.name,
            "build": self.build["build"],
            "scenarios": scenarios,
            "flow": [node.job() for node in pane.flow],
        }
        path = site / self.jobs_path(pane)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")), encoding="utf-8", newline="\n")

    def write_assets(self, site: Path) -> None:
        """The browser code with its notices, under a name of its release; files that are there already stay."""
        target = site / BELOW / self.build["build"]
        for path in sorted(self.folder.rglob("*")):
            copy = target / path.relative_to(self.folder)
            if path.is_file() and not (copy.is_file() and copy.stat().st_size == path.stat().st_size):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)


def described(pane: Pane) -> dict[str, Any]:
    """What a file of jobs says besides the jobs."""
    labels = [{"id": each.id, "label": each.label.job()} for each in pane.scenarios]
    return {"scenarios": labels, "flow": [node.job() for node in pane.flow]}


def relative(target: str, url: str) -> str:
    """A path below the site as seen from the page at `url`, so that a site works under any base path."""
    folder = url if url.endswith("/") else posixpath.dirname(url)
    return posixpath.relpath(target, folder.strip("/") or ".")
