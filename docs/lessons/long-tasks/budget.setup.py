"""Make the items of the scenario, and a budget of 120 bytes and 25 estimated tokens."""

from practices import Budget

budget = Budget(bytes_limit=120, token_estimate_limit=25)

items = {
    "English": [b"temperature " * 10],
    "Chinese": [("温度测量" * 10).encode()],
    "cut": [("温度测量" * 3).encode()[:-1]],
    "long": [("温度测量" * 10).encode() + b"."],
    "three": [b"one observation " * 5, b"another of them " * 5],
}[item]
if item == "three":
    items.append(b"".join(items))  # the payload that is sent holds both
