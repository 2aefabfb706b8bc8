"""What a new statement does to the memories that exist.

``merge`` decides for each statement: it is new, says again what a memory says, or takes its place. ``merge_scope`` says
which memories are read for that. What a message tells of a change without stating anything is in ``changes``.
"""
