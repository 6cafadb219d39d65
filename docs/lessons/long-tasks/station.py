"""The story of these pages: an agent looks for the reason why a measuring station gives no more numbers."""

from practices import Budget, Material

WIDE = Budget(bytes_limit=400, token_estimate_limit=100)


def log():
    """Return the station's log of one morning as bytes: a first line of 16, 39 lines of 18, a last one of 16."""
    lines = ["08:00 启动 ok", *(f"08:{minute:02} 温度 17.{minute % 10}" for minute in range(1, 40)), "08:40 温度 nan"]
    return "\n".join(lines).encode()


def reading():
    """Return the log as it was read at a quarter to nine."""
    return Material("station.log", log(), version="v3", retrieved_at="2026-11-02T08:45:00Z")
