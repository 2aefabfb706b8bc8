"""What a sentence of a summary says otherwise than its texts, each found only where these themselves say it.

``chat_spelling`` spells out the texts, ``clauses`` splits sentences and texts and finds which are nearest to a part.
Against these ``actors`` asks who did it, ``moved_numbers`` how many, ``times`` when, ``reasons`` why, ``plans`` whether
it was done, ``denials`` whether it was denied, and ``contradictions`` what else is turned round.
"""
