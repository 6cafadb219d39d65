"""What is known of a traced code before it runs: its names, its stretches of lines, and what each can change."""
