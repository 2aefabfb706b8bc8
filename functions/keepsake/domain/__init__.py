"""Pure decisions: no database, no network, no clock, no chance."""
