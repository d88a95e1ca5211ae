"""Makes the cases of data/cases."""
