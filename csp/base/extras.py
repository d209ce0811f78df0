"""Libraries that only pictures need."""

from importlib.util import find_spec

from .errors import JigsatError


def need_extra(*modules: str) -> None:
    """Refuse to go on without these modules.

    Raises
    ------
    JigsatError
        If one of them is not installed.
    """
    for module in modules:
        if find_spec(module) is None:
            raise JigsatError(f"pictures need {module}: install jigsat with the extra pictures, jigsat[pictures]")
