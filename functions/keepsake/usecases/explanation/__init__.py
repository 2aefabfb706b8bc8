"""Explains how a message is read: by reading it again, with what is thrown away otherwise, storing nothing."""
