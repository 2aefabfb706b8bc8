"""The demo: a bundled conversation of several days, replayed as a chat backend would, and what came of it."""
