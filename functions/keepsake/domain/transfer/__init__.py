"""Taking memories out and bringing them back: what a row holds, how it is read, signed, judged and placed."""
