"""Recognizes general words for an ending, and finds the memories that have ended.

A clause says what has ended by a phrase (``ending_phrases``: "said goodbye to Pixel") or by a verb
(``facts_that_ended``: "hung up my gloves"). ``find_ended`` then finds the memories that these words name
(``names_of_memory``), and not those that only share a word with them (``other_things``). ``for_a_time`` recognizes what
ends for a time only.
"""
