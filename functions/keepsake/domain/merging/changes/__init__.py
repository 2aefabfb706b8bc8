"""What a message tells of a change, and what that does to the memories that exist.

``read_change_statements`` reads the message, by the rules of ``load_change_rules``, by ``ending_phrases`` and by values
that others replace; ``find_changes`` compares with memories what was read. What a model says of a change goes through
``apply_model_relations``.
"""
