"""The script `jigsat` begins here, and handles signals before it imports what it needs."""

import gc
import os


def entry() -> None:
    """Run the command line of this process, and end it."""
    # Importing what a command needs makes many objects and hardly any garbage, which is not worth looking for.
    gc.set_threshold(200_000)
    try:
        from .signals import SIGNALS

        SIGNALS.guard()
    except KeyboardInterrupt:
        os.write(2, b"jigsat: interrupted\n")
        os._exit(130)
    from .main import entry as run

    run()
