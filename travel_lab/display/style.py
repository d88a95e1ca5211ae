"""Colours that colour-blind readers can tell apart, and labels that need no Chinese font."""

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe and Ito's colours (Color Universal Design, 2008), most contrasting first."""
