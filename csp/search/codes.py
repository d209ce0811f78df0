"""Why a kernel stops."""

#: It is still running; the tree is exhausted; the budget is spent; the rows for solutions are full; or a piece is about
#: to be placed at a depth that is not allowed.
RUNNING, EXHAUSTED, BUDGET_SPENT, ROWS_FULL, DEEPER = range(5)
