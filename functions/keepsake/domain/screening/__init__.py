"""Screening: what may never become a memory, and what may only with little confidence.

``screen`` asks all of this of a candidate, and of names:

- secrets: ``secret_detection`` finds them by their shape, by ``id_numbers`` with checksums, by the words around a
  value (``credentials``, ``access_codes``), and where they are spelled out (``spelled_secrets``);
  ``harmless_numbers`` are none. ``secret_classifier`` judges sentences that no pattern knows
- orders to the model: ``prompt_injection``; rights that somebody claims: ``authority_claims``, by ``claim_topics``
  and ``claim_classifier``
- money and health: ``financial_amounts`` are dropped, ``sensitive_topics`` get little confidence

What is written to deceive is read as it looks: ``deobfuscation``, ``homoglyphs``. ``phrase_topics`` finds the phrases
of long lists in one pass, and ``sentences`` cuts a text for the classifiers. ``doubtful_sentences`` are left to a
classifier that understands more and takes longer. ``shown_names``: the names of people, where they are shown.
"""
