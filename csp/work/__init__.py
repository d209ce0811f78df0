"""Long work: what it is about and what it has found, kept so that it can be continued."""
