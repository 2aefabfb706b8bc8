"""Rules for changes of one kind of memory ("moved again"): reads and matches them, finds the changed memories."""
