"""Background jobs: what they carry, and which use case each one calls."""
