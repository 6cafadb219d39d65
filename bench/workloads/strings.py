"""A text that grows to 20 KB in 500 steps of 40 characters: whoever keeps every value keeps five million of them."""


def main():
    """Let the text grow; its length."""
    text = ""
    for number in range(500):
        piece = f"{number:05}" + "the end of one line is another's begin "[:35]
        text = text + piece
    return len(text)
