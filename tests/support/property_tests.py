"""How many puzzles hypothesis makes for a test."""

from hypothesis import settings

#: The profile that `pytest --hypothesis-profile thorough` chooses; `conftest.py` registers it.
THOROUGH = "thorough"


def examples(number: int, quick: int | None = None) -> settings:
    """Settings with a number of examples: all of them in a thorough run, otherwise `quick`.

    If `quick` is left out, it is a fifth of `number`, at least six.
    """
    if settings.get_current_profile_name() == THOROUGH:
        return settings(max_examples=number)
    return settings(max_examples=min(number, max(6, number // 5)) if quick is None else quick)
