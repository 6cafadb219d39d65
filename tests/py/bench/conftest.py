"""The bench is no part of the package: its folder is found from the checkout's root."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
