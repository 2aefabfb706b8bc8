"""SQL in, domain values out; never commits, never decides."""
