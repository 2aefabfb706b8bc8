"""Export and import of memories: the columns, the file formats, signatures, validation and planning."""
