"""Reads that something has ended, whatever it is, and finds the memories about it. Each way finds what the others miss.

From the words of an ending to the memory: ``read_endings`` yields what a clause says has ended, by
``ending_phrases`` ("said goodbye to Pixel") and by its verb, with ``facts_that_ended`` ("hung up my gloves");
``find_ended`` finds the memories that these words name.

From the memory to the words of an ending: ``named_changes`` looks in a sentence for what names a memory
(``names_of_memory``), and for an ending beside it ("three weeks out of nursing").
"""
