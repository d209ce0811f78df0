"""Pictures, pages, cut sheets, photographs: everything to look at."""
