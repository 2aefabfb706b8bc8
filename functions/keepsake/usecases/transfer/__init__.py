"""Parts of the export and import of memories: file formats, staging, writing and the report."""
