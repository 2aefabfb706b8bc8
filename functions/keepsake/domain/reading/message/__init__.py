"""What is done with a message as a whole, before it is split.

- ``language``: whether rules for English can read it
- ``quoted_text``: masks what is not the author's own
- ``normalize_message``: standard spelling, and words that chat writers leave out
- ``answered_questions``: "yeah peanuts" after a question is a statement
"""
