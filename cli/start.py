"""The script `jigsat` begins here, and handles signals before it imports what it needs."""

import gc
import os
import sys


def entry() -> None:
    """Run the command line of this process, and end it."""
    # Importing what a command needs makes many objects and hardly any garbage, which is not worth looking for.
    gc.set_threshold(1_000_000)
    # The threads of NumPy's linear algebra take longer to start than most commands run; only photos need them.
    if not {"pictures", "photo-jigsaw", "studio"}.intersection(sys.argv[1:3]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from .signals import SIGNALS

        SIGNALS.guard()
    except KeyboardInterrupt:
        os.write(2, b"jigsat: interrupted\n")
        os._exit(130)
    from .main import entry as run

    run()
