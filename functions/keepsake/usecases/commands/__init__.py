"""What a person tells their memory in chat: told from other messages, carried out once, and told again."""
