"""What a new statement does to the memories that exist.

- ``merge`` gives a decision (``decisions``) for each statement: it is new, says again what a memory says, takes its
  place, or ends it. ``precedence``: which of two statements wins; ``added_detail``: which of two says more;
  ``limit_new_memories``: how many are new
- other memories that a statement ends: ``contradictions``, with those of ``favorites`` and ``partners``, and
  ``fulfilled_plans`` by the words that ``load_plan_words`` reads
- ``merge_scope``: which memories are read for that
- ``changes``: what a message tells of a change without stating anything. What it may change: ``may_change``,
  ``memory_kinds``, ``parts_of_life``
"""
