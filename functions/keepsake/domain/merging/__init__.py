"""What a new statement does to the memories that exist.

- ``merge`` makes a decision (``decisions``) for each statement: it is new, or it repeats, replaces or ends a memory.
  ``precedence``: which of two statements wins; ``added_detail``: which of two says more;
  ``limit_new_memories``: how many new memories a message may create
- other memories that a statement ends: ``contradictions``, with those of ``favorites`` and ``partners``, and
  ``fulfilled_plans``
- ``merge_scope``: which memories are read for this
- ``changes``: changes that a message tells of without a new statement. Which memories these may affect:
  ``may_change``, ``memory_kinds``, ``parts_of_life``
- ``apply_model_relations``: what a model says that its statements do to memories
"""
