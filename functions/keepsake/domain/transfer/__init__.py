"""Export and import of memories: the columns, the file formats, signatures, validation and planning.

- ``row_schema``: the columns; ``provenance``: whether a memory was stated or inferred; ``signing``: signatures of rows
- ``csv_format``, ``json_reader``: the rows of a file; ``other_products``: what a file is that is not ours
- ``import_row``: the fields that an unsigned row may set; ``row_state``: whether it is current, history or forgotten
- ``validate_row``: one row checked, its key spelled anew by ``split_marks``
- ``import_plan``: what is done with each row of a batch
"""
