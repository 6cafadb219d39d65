"""What a trace is made of, and how one is written while a run goes on: columns, chunks, records."""
