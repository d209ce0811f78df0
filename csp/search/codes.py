"""Why a kernel stops."""

#: Not at all; because the tree is exhausted, the budget spent, the rows for solutions full; or because a piece is about
#: to be placed deeper than it may.
RUNNING, EXHAUSTED, BUDGET_SPENT, ROWS_FULL, DEEPER = range(5)
