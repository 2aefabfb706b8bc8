"""Rules for changes of one kind of memory ("moved again"): loads them, matches messages, finds the changed memories."""
