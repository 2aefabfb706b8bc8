"""What the measurements share: a database and processes to measure on, messages to send, times, tables of figures."""
