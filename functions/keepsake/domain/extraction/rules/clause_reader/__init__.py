"""Cuts a message into statements, and completes those that lack a subject or a verb.

``split_statements`` cuts; ``omitted_subjects`` and ``self_descriptions`` complete what lacks "I" ("living in Turin") or
a verb ("nurse at St Jude's"). The package ``grammar`` knows the forms and classes of words and phrases.
"""
