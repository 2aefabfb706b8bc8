"""Takes Keepsake out of a database, so that the catalog is as it was before."""
