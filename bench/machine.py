"""Which machine it was, and how busy."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from bench.work import ROOT


def describe(python: str) -> dict[str, Any]:
    """Date, processor, cores and versions."""
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"), "processor": _processor(), "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}", "python": version,
        "tracepane": metadata.version("tracepane"), "commit": _commit(),
    }  # fmt: skip


def load() -> float:
    """How many processes wanted a core, over the last minute."""
    return round(os.getloadavg()[0], 1)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
