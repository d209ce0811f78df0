"""Pictures, pages, cut sheets and renderings."""
