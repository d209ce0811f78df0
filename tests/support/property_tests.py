"""How many puzzles hypothesis makes for a test."""

from hypothesis import settings

#: The profile that `pytest --hypothesis-profile thorough` chooses; `conftest.py` registers it.
THOROUGH = "thorough"


def examples(number: int) -> settings:
    """Settings with a number of examples: a third of `number`, at least six; all of them in a thorough run."""
    if settings.get_current_profile_name() == THOROUGH:
        return settings(max_examples=number)
    return settings(max_examples=min(number, max(6, number // 3)))
