"""``keepsake adopt``: recognizes an application's chats in its tables, and writes the migrations that connect them."""
