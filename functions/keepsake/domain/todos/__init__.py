"""To-dos: what a person wants to do, keeps doing, waits for or is stuck with, and what came of it."""
