"""Twelve nested records of some 1.1 KB each, walked and copied in depth: few lines, much to see at each of them."""

WORDS = (
    "the quick brown fox jumps over a lazy dog while five boxing wizards judge my vow and pack more jugs of rum " * 4
)


def build():
    """Twelve records: dicts in dicts, a list, tuples in tuples, long texts."""
    records = []
    for number in range(12):
        labels = [f"label {number % 7} {WORDS}"[:100], f"other {number % 5} {WORDS}"[:100], "plain"]
        place = {"north": 51 + number / 7, "east": 4 - number / 9, "hint": f"hint {number} {WORDS}"[:320]}
        about = {"labels": labels, "place": place, "path": (1, (2, (3, {"deep": f"deep {number * 37:04}"})))}
        records.append({"number": number, "text": f"text {number:02} {WORDS}"[:340], "about": about})
    return records


def copy(node):
    """A copy of dicts and lists; what they hold besides is shared."""
    if type(node) is list:
        return list(node)
    twin = {}
    for key in node:
        twin[key] = copy(node[key]) if type(node[key]) in (dict, list) else node[key]
    return twin


def main():
    """Copy each record and add a label to the copy; how many there are of both."""
    records = build()
    copies = []
    for record in records:
        twin = copy(record)
        twin["about"]["labels"].append("copied")
        copies.append(twin)
    return len(records), len(copies)
