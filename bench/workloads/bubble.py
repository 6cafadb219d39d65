"""Sixty numbers sorted by swapping neighbours, with counters in a dict: some 8,000 lines change one list in place."""


def scatter(size):
    """Numbers of four digits, in no order."""
    numbers = []
    seed = 39813
    for _ in range(size):
        seed = (seed * 16807) % 2147483647
        numbers.append(seed % 9000 + 1000)
    return numbers


def sort(numbers, seen):
    """Sort in place, and keep count."""
    last = len(numbers) - 1
    for done in range(last):
        for left in range(last - done):
            seen["compared"] += 1
            if numbers[left] > numbers[left + 1]:
                numbers[left], numbers[left + 1] = numbers[left + 1], numbers[left]
                seen["swapped"] += 1
                seen["places"][left] = seen["places"].get(left, 0) + 1
    return numbers


def main():
    """Sort sixty numbers; the numbers and the counters."""
    numbers = scatter(60)
    seen = {"compared": 0, "swapped": 0, "places": {}}
    sort(numbers, seen)
    return numbers, seen
