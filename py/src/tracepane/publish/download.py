"""Files for readers to take home: one archive with all of them, and each by itself. Plain links, no script."""

from __future__ import annotations

import io
import posixpath
import zipfile
from pathlib import Path
from urllib.parse import quote

from tracepane.lesson.download import Download
from tracepane.publish.markup import Markup, tag
from tracepane.publish.words import say

# Zip knows no earlier time, and the same files must give the same archive.
EPOCH = (1980, 1, 1, 0, 0, 0)


def render(files: Download, base: str, language: str) -> Markup:
    """A link to the archive, and a list of the files to unfold. `base` is their folder as seen from the page."""
    sizes = {name: len(data) for name, data in files.read().items()}
    archive = f"{files.name}.zip"
    count = say(language, "file" if len(sizes) == 1 else "files", count=len(sizes))
    button = tag(
        "a",
        say(language, "download", name=archive),
        class_="md-button md-button--primary",
        href=f"{base}/{quote(archive)}",
        download=archive,
    )
    contents = say(language, "contents", files=count, size=kilobytes(sum(sizes.values())))
    rows = [item(name, size, base) for name, size in sizes.items()]
    return tag(
        "div",
        tag("p", button),
        tag("details", tag("summary", contents), tag("ul", *rows)),
        class_="tracepane-download",
        lang=language,
    )


def item(name: str, size: int, base: str) -> Markup:
    """One file."""
    link = tag("a", name, href=f"{base}/{quote(name)}", download=posixpath.basename(name), translate="no")
    return tag("li", link, f" {kilobytes(size)}")


def kilobytes(size: int) -> str:
    """A size as people read it."""
    return f"{max(size, 100) / 1000:.1f} kB"


def write(files: Download, folder: Path) -> None:
    """Write the archive and each file below a folder."""
    held = files.read()
    for name, data in {f"{files.name}.zip": archived(files.name, held), **held}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def archived(name: str, held: dict[str, bytes]) -> bytes:
    """A zip in which the files lie below one folder; the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in held.items():
            entry = zipfile.ZipInfo(f"{name}/{path}", EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
