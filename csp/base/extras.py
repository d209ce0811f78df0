"""Optional libraries."""

from importlib.util import find_spec

from .errors import JigsatError


def need_extra(*modules: str, extra: str = "pictures", what: str = "pictures need") -> None:
    """Raise an error if a module of an extra is not installed; `what` begins the message.

    Raises
    ------
    JigsatError
        If one of the modules is not installed.
    """
    for module in modules:
        if find_spec(module) is None:
            raise JigsatError(f"{what} {module}: install it with pip install 'jigsat[{extra}]'")
