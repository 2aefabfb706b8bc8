"""``keepsake adopt``: recognizes an application's chats in its tables, and writes the migration that connects them."""
