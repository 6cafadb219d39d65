"""A Fibonacci number by plain recursion: some 2,000 calls, 6,000 lines, and nothing else."""


def fib(n):
    """The n-th Fibonacci number, worked out anew each time."""
    if n < 2:
        return n
    one = fib(n - 1)
    two = fib(n - 2)
    return one + two


def main():
    """The fifteenth."""
    result = fib(15)
    return result
