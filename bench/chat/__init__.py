"""What is remembered of chats as people type them, and what the contexts of later messages hold of it."""
