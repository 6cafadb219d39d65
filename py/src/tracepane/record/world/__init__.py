"""What a run finds around it, the same on every machine: time, chance, files, streams, imports, and what is missing."""
