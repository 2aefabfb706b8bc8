"""Replies: turns what a language model answered into the object that was asked for, or says why it cannot.

Every reply, for memories and for summaries, goes through ``read_object``. In the order of the steps:

- ``thoughts`` takes away what a model thought aloud; it is never stored, logged or shown
- ``find_values`` finds the JSON values in the rest, and has broken ones repaired by ``json_repair``
- ``shape`` says which of them is the answer, under whatever wrapping
- ``lenient_model``: the pydantic base of what is read from it; ``field_name`` and ``conversions`` accept what says the
  same in another form
- ``invalid_reply``: why a reply cannot be used; ``json_schema``: a schema for endpoints that know fewer keywords
"""
