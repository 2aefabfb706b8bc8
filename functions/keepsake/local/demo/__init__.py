"""The demo: replays a bundled conversation of several days as a chat backend would, and shows the result."""
