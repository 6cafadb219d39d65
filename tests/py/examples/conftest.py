"""The import roots of the lessons' own code."""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"
sys.path[:0] = [str(DOCS / "examples"), str(DOCS / "book" / "v2")]
