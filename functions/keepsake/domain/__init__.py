"""Pure decisions, one package for each stage of the product: no database, no network, no clock, no randomness."""
