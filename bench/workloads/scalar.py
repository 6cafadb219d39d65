"""Three whole numbers in a loop of 5,000 rounds: some 20,000 lines run, and nothing but names is ever bound."""


def main():
    """Mix two numbers; the last values of both."""
    state = 7
    mixed = 1
    turn = 0
    while turn < 5000:
        state = (state * 16807 + turn) % 2147483647
        mixed = mixed ^ state
        turn += 1
    return state, mixed
