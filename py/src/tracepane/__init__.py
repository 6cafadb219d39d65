"""Lessons in real Python that a reader runs, stops and walks backwards."""
