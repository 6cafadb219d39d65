"""Two hundred objects linked into a tree and a list at once: from each of them, all the older ones can be reached."""


class Item:
    """A leaf of the tree and a link of the list."""

    def __init__(self, key):
        self.key = key
        self.mark = f"M{key * 7919:011}"
        self.low = None
        self.high = None
        self.older = None


class Shelf:
    """Items in a binary tree that is filled level by level, and in a list, the newest first."""

    def __init__(self):
        self.top = None
        self.newest = None
        self.count = 0
        self.room = []

    def put(self, key):
        """Add an item to both."""
        item = Item(key)
        item.older = self.newest
        self.newest = item
        self.count += 1
        self.room.append(item)
        if self.top is None:
            self.top = item
            return
        above = self.room[0]
        if above.low is None:
            above.low = item
        else:
            above.high = item
            self.room.pop(0)


def main():
    """Put two hundred keys on a shelf; how many are there."""
    shelf = Shelf()
    key = 1
    for _ in range(200):
        key = (key * 75) % 65537
        shelf.put(key)
    return shelf.count
