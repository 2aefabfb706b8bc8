"""The folder of a project: its keys, its people, and how its stack is reached."""
