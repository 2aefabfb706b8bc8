"""The folder of a local project: its keys, and the state of its running stack."""
