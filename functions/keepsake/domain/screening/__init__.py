"""Screening: which text may never become a memory, and which may only with low confidence.

``screen`` checks all of this for a candidate, and for names:

- secrets: ``secret_detection`` finds them by their shape, by checksums (``id_numbers``), by the words around a
  value (``credentials``, ``access_codes``), and when they are spelled out (``spelled_secrets``); it leaves out
  ``harmless_numbers``. ``secret_classifier`` judges sentences in which no pattern finds a secret
- instructions to the model: ``prompt_injection``; claims of authority: ``authority_claims``, by
  ``claim_classifier``
- money and health: ``financial_amounts`` are dropped, ``sensitive_topics`` get low confidence

``homoglyphs`` and ``sentences``, which splits a text for the classifiers, undo disguised spelling before the checks.
``doubtful_sentences`` selects sentences for a slower and better classifier.
``shown_names`` screens the names of people before they are shown, and ``mentions`` puts them in the place of ids.
"""
