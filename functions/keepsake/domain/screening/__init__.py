"""Screening: which text may never become a memory, and which may only with low confidence.

``screen`` checks all of this for a candidate, a text and a name, and shows names in the place of ids:

- secrets: ``secret_detection`` finds them by their shape and by checksums (``number_kinds``), by the words around a
  value (``named_secrets``), when they are spelled out, and by sentences that tell one (``sentence_scores``)
- orders to the model, and claims of authority: ``instructions``, by ``sentence_scores`` too
- money and health: amounts of money are dropped, ``sensitive_topics`` get low confidence

``readable_text`` undoes disguised spelling before the checks, and splits a text for the classifiers.
"""
