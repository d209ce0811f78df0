"""Libraries that not everyone needs."""

from importlib.util import find_spec

from .errors import JigsatError


def need_extra(*modules: str, extra: str = "pictures", what: str = "pictures need") -> None:
    """Refuse to go on without these modules, which come with an extra; `what` begins the message.

    Raises
    ------
    JigsatError
        If one of them is not installed.
    """
    for module in modules:
        if find_spec(module) is None:
            raise JigsatError(f"{what} {module}: install jigsat with the extra {extra}, jigsat[{extra}]")
