"""English grammar, as far as reading a clause needs it: forms and classes of words, noun phrases, subjects, verbs."""
