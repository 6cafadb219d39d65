"""The programs that are recorded: one a file, each with a `main()` that takes nothing and reads nothing."""
