"""The script `jigsat` begins here, and handles signals before it imports what it needs."""

import os


def entry() -> None:
    """Run the command line of this process, and end it."""
    try:
        from .signals import SIGNALS

        SIGNALS.guard()
    except KeyboardInterrupt:
        os.write(2, b"jigsat: interrupted\n")
        os._exit(130)
    from .main import entry as run

    run()
