"""Build one piece of a history from what the scenario says, and what source and archive hold now."""

from retention import Piece

piece = Piece("log of the morning", kind, importance, source="station.log", version="v3")
sources = {"station.log": source_has} if source_has else {}
archive = {"log of the morning": archive_has} if archive_has else {}
