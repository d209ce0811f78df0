"""Libraries that not everyone needs, and modules of Python that not every system has."""

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


def need_posix(what: str) -> None:
    """Refuse to go on where the system is not Linux or macOS; `what` begins the message.

    Raises
    ------
    JigsatError
        If Python has no `fcntl`, as on Windows.
    """
    if find_spec("fcntl") is None:
        raise JigsatError(f"{what} Linux or macOS; on Windows, use the Windows Subsystem for Linux (WSL)")
