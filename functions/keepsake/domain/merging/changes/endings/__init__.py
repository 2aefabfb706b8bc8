"""Recognizes general words for an ending, and finds the memories that have ended. It searches in two directions.

From the ending to the memory: ``read_endings`` yields what a clause says has ended, by a phrase (``ending_phrases``:
"said goodbye to Pixel") or by a verb (``facts_that_ended``: "hung up my gloves"). ``find_ended`` then finds the
memories that these words name.

From the memory to the ending: ``named_changes`` searches a sentence for the name of a memory (``names_of_memory``), and
for an ending beside it ("three weeks out of nursing").
"""
