"""The lifetimes of memories, and consolidation: many small memories become one."""
