"""The extraction of turns: claims a turn, has its message read, and finishes it in one transaction.

``extract_claimed_turn`` processes one claimed turn (``claimed_turn``) to its end, and ``extract_batch`` several at
once. ``unread_turns`` finds the turns that were not read yet.
"""
