"""The public functions: what `import jigsat` and the command line both call."""

from ..render.notebook import register

# Puzzles, results and forms show pictures of themselves, which are made on a floor above theirs.
register()
