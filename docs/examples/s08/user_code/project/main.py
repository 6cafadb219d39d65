"""Leave a mark, print the answer."""

from pathlib import Path

Path("started.txt").write_text("yes\n", encoding="utf-8")
print(6 * 7)
