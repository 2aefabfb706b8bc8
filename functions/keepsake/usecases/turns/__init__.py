"""Turns through extraction: claimed, read, and finished in one transaction.

``extract_claimed_turn`` takes one turn from its claim (``claimed_turn``) to its end, and ``extract_batch`` several at
once. ``unread_turns`` finds what nobody has read yet.
"""
