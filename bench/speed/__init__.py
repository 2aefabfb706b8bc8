"""How long one call or one interaction takes, and what it costs, in a database of the size of a large installation."""
